/** Methods of a client that do no harm after its release: they touch listeners and texts, never the connection. Fact: pg 8.23 `lib/client.js`. */
export const harmlessMembers: ReadonlySet<string> = new Set(
  `
  on once off addListener prependListener removeListener removeAllListeners listeners
  listenerCount eventNames setMaxListeners emit escapeIdentifier escapeLiteral getTypeParser
  setTypeParser getTransactionStatus toString hasOwnProperty ref unref
`
    .trim()
    .split(/\s+/u),
);
