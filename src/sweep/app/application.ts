import { fork } from 'node:child_process';
import type { ApplicationEnd, KeeperMessage, KeeperOrder, MachineUse } from './keeper-messages.ts';
import { signalGroup } from './process-group.ts';

export interface StartOptions {
  /** The bundle of `keeper.ts`: `dist/app-keeper.cjs`. */
  readonly keeperPath: string;
  /** For the shell. */
  readonly command: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onUse: (use: MachineUse) => void;
}

/** The user's application, in a process group of its own. */
export interface Application {
  /** Resolves once nobody of it is left; never rejects. */
  readonly ended: Promise<ApplicationEnd>;
  /** Asks it to end, ends it after `graceMs`, and resolves once it is gone. Safe to call twice. */
  stop(graceMs: number): Promise<ApplicationEnd>;
}

export function startApplication({
  keeperPath,
  command,
  folder,
  environment,
  onUse,
}: StartOptions): Application {
  // In a session of its own: what ends the whole group of the sweep must not end the one who cleans up.
  const keeper = fork(keeperPath, [], {
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let group: number | null = null;
  const say = (order: KeeperOrder) => void keeper.send(order, () => undefined);
  const ended = new Promise<ApplicationEnd>((resolve) => {
    const lost = (failure: string) => {
      // Somebody ended the keeper, so that nobody looks after the application.
      if (group !== null) signalGroup(group, 'SIGKILL');
      resolve({ code: null, signal: null, wasKilled: group !== null, lastLines: [], failure });
    };
    keeper.on('message', (message: KeeperMessage) => {
      if (message.kind === 'started') group = message.group;
      if (message.kind === 'use') onUse(message.use);
      if (message.kind === 'ended') {
        group = null;
        resolve(message.end);
      }
    });
    keeper.once('error', (error) =>
      lost(`The process that runs the application could not be started (${error.name}).`),
    );
    // Its last message may still be on its way when it has exited; by its `close` the channel has been read to the end.
    keeper.once('close', () =>
      setImmediate(lost, 'The process that runs the application was killed.'),
    );
  });
  say({ kind: 'start', command, folder, environment });
  return {
    ended,
    stop: (graceMs) => {
      say({ kind: 'stop', graceMs });
      return ended;
    },
  };
}
