/** Whatever lends clients to callers: a pool, one client for all, a new connection each time. */
export interface ConnectionSource {
  /** Resolves when a client is there; rejects with the driver's error when there will be none. */
  acquire(): Promise<Loan>;
  look(): SourceState;
  /** False where callers wait inside of the driver: wait and time in the database cannot be told apart then. */
  readonly showsWait: boolean;
}

/** One client in somebody's hands. */
export interface Loan {
  /** Runs one drawn statement; rejects with the driver's error. */
  run(): Promise<void>;
  /** To be called once. The error of `run`, if there was one, tells whether the client can be lent again. */
  giveBack(error?: unknown): Promise<void> | void;
}

export interface SourceState {
  readonly total: number;
  readonly idle: number;
  /** Callers that have no client and for whom none is idle. */
  readonly waiting: number;
}

/** The cause under which a caller that gave up waiting for a client is counted. */
export const waitTimeout = 'wait-timeout';

/** What `pg` and `pg-pool` say without a code (pg-pool index.js, connect and newClient; pg lib/client.js). */
const causesByMessage: readonly (readonly [RegExp, string])[] = [
  [/timeout exceeded when trying to connect/, waitTimeout],
  [/due to connection timeout|timeout expired/, 'connect-timeout'],
  [/Query read timeout/, 'query-timeout'],
  [/Connection terminated|connection error|was closed/, 'connection-lost'],
];

/** SQLSTATE, the code of Node, or a word for what the driver only says in words. */
export function errorCause(error: unknown): string {
  const { code, message } =
    error instanceof Error
      ? (error as Error & { readonly code?: unknown })
      : { code: undefined, message: '' };
  if (typeof code === 'string' && /^\w+$/.test(code)) return code;
  return causesByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? 'unknown';
}

/** Whether the connection is of no more use: the server answered with no SQLSTATE, or with one of a broken or ended connection. */
export function breaksConnection(error: unknown): boolean {
  const cause = errorCause(error);
  return !/^[0-9A-Z]{5}$/.test(cause) || /^(?:08|57P0[1-5])/.test(cause);
}
