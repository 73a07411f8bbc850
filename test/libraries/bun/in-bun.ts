import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Calls, Habits, HabitsSample, Habitual, PoolOptions } from '../sample.ts';
import { messageOf, type CallPath, type InnerOf, type ToBun, type ToNode } from './messages.ts';

type Work = (inner: InnerOf) => Promise<void>;
type Ask = (path: CallPath, args?: readonly unknown[], work?: Work) => Promise<unknown>;

/** The program that npm has brought: its name is the same on each system. */
const program = join(
  dirname(createRequire(import.meta.url).resolve('bun/package.json')),
  'bin',
  'bun.exe',
);

/** What asks a process of Bun for calls; each is a number there. */
function askingOf(child: ChildProcess): Ask {
  const waiting = new Map<
    number,
    { readonly settle: (message: ToNode) => void; readonly work: Work | undefined }
  >();
  let calls = 0;
  child.on('message', (message: ToNode) => {
    if ('settled' in message) waiting.get(message.settled)?.settle(message);
    else void runFor(message.lent);
  });
  const send = (message: ToBun) => child.send(message);
  async function runFor(call: number): Promise<void> {
    const [outcome] = await Promise.allSettled([waiting.get(call)?.work?.({ innerOf: call })]);
    const error = outcome.status === 'rejected' ? messageOf(outcome.reason) : null;
    send({ worked: call, error });
  }
  return (path, args = [], work) => {
    const call = (calls += 1);
    return new Promise((resolve, reject) => {
      const settle = (message: ToNode) => {
        if (!('settled' in message)) return;
        if (message.error === null) resolve(message.value ?? call);
        else reject(new Error(message.error));
      };
      waiting.set(call, { settle, work });
      send({ call, path, args });
    });
  };
}

function callsBy<T>(
  names: readonly string[] = [],
  call: (name: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, call(name)]));
}

function habitsOf(
  ask: Ask,
  way: 'mistakes' | 'cures',
): Habits & { writesLate(): Promise<unknown> } {
  return {
    writes: (fails) => ask([way, 'writes'], [fails]),
    asks: (url) => ask([way, 'asks'], [url]),
    sendsTwo: () => ask([way, 'sendsTwo']),
    writesLate: () => ask([way, 'writesLate']),
  };
}

async function open(url: string, options: PoolOptions): Promise<Habitual<InnerOf>> {
  const child = fork(join(import.meta.dirname, 'child.ts'), {
    execPath: program,
    execArgv: [],
    serialization: 'json',
  });
  const ask = askingOf(child);
  const [lends, sends, begins, harmless] = (await ask(['open'], [url, options])) as string[][];
  const calls: Calls<InnerOf> = {
    lends: callsBy(lends, (name) => (work) => ask(['lends', name], [], work)),
    sends: callsBy(sends, (name) => () => ask(['sends', name])),
    begins: callsBy(begins, (name) => async () => {
      const call = await ask(['begins', name]);
      return () => ask(['ends'], [call]);
    }),
    harmless: (inner) => callsBy(harmless, (name) => () => ask(['harmless', name], [inner])),
    write: (text, inner) => ask(['write'], [text, inner]),
    async end() {
      await ask(['end']);
      child.disconnect();
      await once(child, 'exit');
    },
  };
  return { ...calls, mistakes: habitsOf(ask, 'mistakes'), cures: habitsOf(ask, 'cures') };
}

/** Bun's own client, which only runs in Bun. A call waits for a connection without limit, as in postgres.js. */
export const bun: HabitsSample = {
  module: 'bun',
  exhausted: /idle-in-transaction timeout/u,
  ended: /cannot run a query after its transaction or savepoint ended/u,
  open,
};
