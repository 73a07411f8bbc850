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
