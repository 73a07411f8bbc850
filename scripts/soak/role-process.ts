import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HeapNotes } from './heap-notes.ts';
import type { RoleMessage, RoleStart } from './roles/role.ts';
import type { RoleName } from './roles/run-role.ts';

/** A role that is played in a process of its own. */
export interface RoleProcess extends AsyncDisposable {
  readonly processId: number;
  /** By name: the processes that it started for as long as it works. */
  readonly children: Readonly<Record<string, number>>;
  /** How much it has done so far. */
  readonly count: () => number;
}

/** The bundle that this is part of. */
const program = fileURLToPath(import.meta.url);

/** `onFailure` hears why a role cannot go on; @throws when it cannot begin. */
export async function startRole(
  name: RoleName,
  start: RoleStart,
  {
    notes,
    onFailure,
  }: { readonly notes: HeapNotes; readonly onFailure: (sentence: string) => void },
): Promise<RoleProcess> {
  // Apart from the terminal, whose Ctrl-C ends the soak and not its parts.
  const child = fork(program, ['role', name], {
    detached: true,
    execArgv: [...notes.execArgv],
    env: { ...process.env, ...notes.variables },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  let count = 0;
  let isEnding = false;
  let isWorking: (children: Readonly<Record<string, number>>) => void = () => undefined;
  const working = new Promise<Readonly<Record<string, number>>>((resolve) => {
    isWorking = resolve;
  });
  const failed = new Promise<string>((resolve) => {
    child.on('message', (message: RoleMessage) => {
      if (message.kind === 'done') count = message.count;
      else if (message.kind === 'working') isWorking(message.children);
      else resolve(message.sentence);
    });
    void exited.then(() => resolve('it ended by itself.'));
  });
  child.send(start);
  const children = await Promise.race([
    working,
    failed.then((sentence) => {
      throw new Error(`${name}: ${sentence}`);
    }),
  ]);
  void failed.then((sentence) => {
    if (!isEnding) onFailure(`${name}: ${sentence}`);
  });
  return {
    processId: child.pid ?? Number.NaN,
    children,
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      isEnding = true;
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
