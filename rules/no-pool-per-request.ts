import { describeRule } from './rule-text.ts';

interface Options {
  readonly clients: boolean;
}

/**
 * Each pool opens connections of its own, one backend process each, and keeps them for `idleTimeoutMillis` behind their last use,
 * 10 s unless set (pg-pool 3.14 `index.js`). What is made for each request therefore grows with the traffic and not with `max`.
 *
 * Not seen: pools whose configuration depends on the request, and what somebody unknown may keep.
 */
export default describeRule<Options>({
  id: 'no-pool-per-request',
  description: 'A pool or a connection is made, or a shared pool is ended, for each request.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  messages: {
    pool: 'The request handler at line {{line}} makes another pool for each request: nobody ends it, and its connections stay open for 10 s after their last use (`idleTimeoutMillis`). At 10 requests a second that is 100 backends, which is all that PostgreSQL takes by default (`max_connections`). Make the pool once, at the top level of a module.',
    endedPool:
      'The request handler at line {{line}} makes a pool for each request and ends it: each request waits for a new connection (TCP, TLS, authentication, a backend process), and nothing limits how many there are at once. Make the pool once, at the top level of a module, and do not end it here.',
    client:
      'The request handler at line {{line}} opens a connection for each request: each waits for TCP, TLS, authentication and a new backend process, and nothing limits how many there are at once. Query a `Pool` that is made once, at the top level of a module.',
    openClient:
      'The request handler at line {{line}} opens a connection for each request, and nobody ends it: each request leaves one more backend, until PostgreSQL says "sorry, too many clients already". Query a `Pool` that is made once, at the top level of a module.',
    inLoop:
      'Each round of this loop makes another pool, and nobody ends it: its connections stay open for 10 s after their last use (`idleTimeoutMillis`). Make the pool before the loop.',
    scoped:
      'The container makes this anew for each request (`Scope.REQUEST`), and another pool with it: nobody ends it, and its connections stay open for 10 s after their last use (`idleTimeoutMillis`). At 10 requests a second that is 100 backends, which is all that PostgreSQL takes by default (`max_connections`). Make the pool in a provider of the default scope.',
    endsShared:
      'The request handler at line {{line}} ends `{{pool}}`, which all requests share: from then on each query of theirs fails with "Cannot use a pool after calling end on the pool", and each further end with "Called end on pool more than once". Leave it open, and end it where the process shuts down.',
  },
  options: {
    properties: {
      clients: {
        type: 'boolean',
        description: 'Whether a connection without a pool, `new Client()`, is reported, too.',
      },
    },
    defaults: { clients: true },
    accepts: ({ messageId }, { clients }) =>
      clients || (messageId !== 'client' && messageId !== 'openClient'),
  },
});
