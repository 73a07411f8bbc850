// Runs in Bun: makes the calls that Node asks for.
import type { TransactionSQL } from 'bun';
import type { Call, Calls, Habitual, PoolOptions } from '../sample.ts';
import { open } from '../samples/bun.ts';
import { messageOf, type InnerOf, type ToBun, type ToNode } from './messages.ts';

type Handle = Habitual<TransactionSQL>;
type Asked = Extract<ToBun, { readonly call: number }>;

const inners = new Map<number, TransactionSQL>();
const working = new Map<number, (error: string | null) => void>();
const ends = new Map<number, Call>();
let handle: Handle;

function send(message: ToNode): void {
  process.send?.(message);
}

/** Lends Node the handle until it says that it is done. */
async function lend(call: number, inner: TransactionSQL): Promise<void> {
  inners.set(call, inner);
  const error = await new Promise<string | null>((resolve) => {
    working.set(call, resolve);
    send({ lent: call });
  });
  if (error !== null) throw new Error(error);
}

function innerOf(given: unknown): TransactionSQL | undefined {
  return inners.get((given as InnerOf | null)?.innerOf ?? -1);
}

/** The names of the calls that a handle has. */
function namesOf(calls: Calls<TransactionSQL>) {
  const { lends, sends, begins } = calls;
  const unused = undefined as never;
  return [lends, sends, begins, calls.harmless(unused)].map((each) => Object.keys(each));
}

const parts: Readonly<Record<string, (asked: Asked, name: string) => unknown>> = {
  open({ args: [url, options] }) {
    handle = open(url as string, options as PoolOptions);
    return namesOf(handle);
  },
  lends: ({ call }, name) => handle.lends[name]?.((inner) => lend(call, inner)),
  sends: (_asked, name) => handle.sends[name]?.(),
  harmless: ({ args: [inner] }, name) =>
    handle.harmless(innerOf(inner) as TransactionSQL)[name]?.(),
  async begins({ call }, name) {
    const end = await handle.begins[name]?.();
    if (end !== undefined) ends.set(call, end);
  },
  ends: ({ args: [call] }) => ends.get(call as number)?.(),
  write: ({ args: [text, inner] }) => handle.write(text as string, innerOf(inner)),
  mistakes: ({ args: [given] }, name) => handle.mistakes[name as 'writes'](given as boolean),
  cures: ({ args: [given] }, name) => handle.cures[name as 'writes'](given as boolean),
  end: () => handle.end(),
};

async function answer(asked: Asked): Promise<void> {
  const { call, path } = asked;
  try {
    const value = await parts[path[0]]?.(asked, path[1] ?? '');
    send({ settled: call, error: null, value: path[0] === 'open' ? value : null });
  } catch (error) {
    send({ settled: call, error: messageOf(error), value: null });
  }
}

process.on('message', (message: ToBun) => {
  if ('call' in message) void answer(message);
  else working.get(message.worked)?.(message.error);
});
