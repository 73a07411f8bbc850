/** An event that an object may end with. */
type End = 'close' | 'end' | 'error' | 'finish';

/** An object that tells by events that it has ended, and which of these come on every way to its end. */
export interface Emitter {
  /** Who listens to all events of one of these sets hears of every end. */
  readonly complete: readonly (readonly End[])[];
  /** When what is told by an event happens, for those who did not listen to it. */
  readonly when: Readonly<Partial<Record<End, string>>>;
}

/**
 * The event that comes once and last, on every way to an end. Who listens to it and to another hears of some ends twice. Fact: Node 24
 * docs, "Stream": 'close' is emitted unless a stream was told `emitClose: false`; one that is destroyed without an error emits nothing else.
 */
export const lastEvent: End = 'close';

/**
 * Fact: Node 24 docs, "HTTP", `http.ServerResponse`: 'finish' is "emitted when the response has been sent", 'close' "indicates that the
 * response is completed, or its underlying connection was terminated prematurely (before the response completion)". The responses of
 * Express, Koa's `ctx.res` and Fastify's `reply.raw` are such responses.
 */
export const response: Emitter = {
  complete: [['close']],
  when: { close: 'the connection closes before the response is sent' },
};

/**
 * What `client.query(stream)` gives back: a stream, a cursor or a copy. Fact: Node 24 docs, "Stream": 'end' and 'finish' are emitted where
 * all data was consumed or flushed, 'error' where it failed, and 'close' where "no more events will be emitted".
 */
export const queryStream: Emitter = {
  complete: [['close'], ['end', 'error'], ['finish', 'error']],
  when: { end: 'the stream ends without an error', error: 'the stream fails or is destroyed' },
};

/** Members of a response that no other stream has. Fact: Node 24 `http.ServerResponse`, Express 5 `response.js`. */
export const responseMembers: ReadonlySet<string> = new Set([
  'writeHead',
  'setHeader',
  'flushHeaders',
  'status',
  'sendStatus',
  'json',
  'send',
]);

/** Methods of Node's `EventEmitter` that put a listener on it, and give the emitter back. */
export const listenMethods: ReadonlySet<string> = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
]);

/** When an object ends and those who listen to these events do not hear of it; undefined where they always do. */
export function unheardEnd(
  { complete, when }: Emitter,
  heard: ReadonlySet<string>,
): string | undefined {
  const missing = complete.map((set) => set.filter((event) => !heard.has(event)));
  if (missing.some(({ length }) => length === 0)) return undefined;
  const fewestFirst = [...missing].sort((one, other) => one.length - other.length).flat();
  return fewestFirst.flatMap((event) => when[event] ?? [])[0];
}
