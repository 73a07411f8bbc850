// Owns the application of a sweep and outlives the sweep: when that ends, even by SIGKILL, the channel closes, and this one stops the
// application with all its processes. It also reads all that the application prints, so that no pipe fills up.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApplicationEnd, KeeperMessage, KeeperOrder } from './keeper-messages.ts';
import { createLastLines } from './last-lines.ts';
import { isGroupAlive, signalGroup } from './process-group.ts';
import { createUseMeter } from './use-meter.ts';

const measureMs = 500;
const lookMs = 25;
const lastWordsMs = 200;
/** For an application whose sweep is gone. */
const orphanGraceMs = 1000;

let group: number | null = null;
let wasKilled = false;
let stopping: Promise<void> | undefined;

function tell(message: KeeperMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

function start({ command, folder, environment }: Extract<KeeperOrder, { kind: 'start' }>): void {
  const lines = createLastLines();
  const child = spawn(command, {
    cwd: folder,
    env: environment,
    shell: true,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const end = (rest: Pick<ApplicationEnd, 'code' | 'signal' | 'failure'>) =>
    leave({ ...rest, wasKilled, lastLines: lines.read() });
  child.on('error', (error: NodeJS.ErrnoException) =>
    end({
      code: null,
      signal: null,
      failure: `The application could not be started (${error.code ?? error.name}).`,
    }),
  );
  if (child.pid === undefined) return;
  const own = child.pid;
  group = own;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => lines.add(chunk));
  // What it printed last may still be in its pipes; a child of its own that keeps them open is not waited for.
  const read = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once(
    'exit',
    (code, signal) =>
      void untilGone(own, Infinity)
        .then(() => Promise.race([read, wait(lastWordsMs)]))
        .then(() => end({ code, signal, failure: null })),
  );
  void measure(own);
  tell({ kind: 'started', group: own });
}

async function measure(own: number): Promise<void> {
  const read = createUseMeter(own);
  while (process.connected) {
    const use = await read();
    if (use !== null) tell({ kind: 'use', use });
    await wait(measureMs);
  }
}

/** Resolves with whether everybody of the group is gone, after `withinMs` at the latest. */
async function untilGone(own: number, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += lookMs) {
    if (!(await isGroupAlive(own))) return true;
    await wait(lookMs);
  }
  return false;
}

async function stop(graceMs: number): Promise<void> {
  if (group === null) return;
  signalGroup(group, 'SIGTERM');
  if (await untilGone(group, graceMs)) return;
  wasKilled = true;
  signalGroup(group, 'SIGKILL');
}

function leave(end: ApplicationEnd): void {
  if (!process.connected) process.exit();
  process.send?.({ kind: 'ended', end } satisfies KeeperMessage, undefined, undefined, () =>
    process.exit(),
  );
}

process.on('message', (order: KeeperOrder) => {
  if (order.kind === 'start') start(order);
  else stopping = stop(order.graceMs);
});
process.once(
  'disconnect',
  () =>
    void (stopping ?? stop(orphanGraceMs))
      .then(() => untilGone(group ?? 0, group === null ? 0 : orphanGraceMs))
      .then(() => process.exit()),
);
// Ctrl-C and the end of a terminal reach every process there; the sweep decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
