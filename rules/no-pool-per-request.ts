import { describeRule } from './rule-text.ts';

interface Options {
  readonly clients: boolean;
}

/**
 * Each pool opens its own connections, one backend process each, and keeps them for `idleTimeoutMillis` after their last use, 10 s by
 * default (pg-pool 3.14 `index.js`). With a pool for each request they grow with the traffic and not with `max`.
 *
 * Not seen: pools whose configuration depends on the request, and those that unknown code may keep.
 */
export default describeRule<Options>({
  id: 'no-pool-per-request',
  description:
    'Disallow creating a pool or a connection for each request, and ending a shared pool in one.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  messages: {
    pool: 'Creates a pool for each request (handler at line {{line}}): under load PostgreSQL runs out of connections. Create it once, at the top level of a module.',
    endedPool:
      'Creates and ends a pool for each request (handler at line {{line}}): every request waits for a new connection. Create it once, at the top level of a module, and do not end it here.',
    client:
      'Opens a connection for each request (handler at line {{line}}): under load PostgreSQL runs out of connections. Query a `Pool` that is created once, at the top level of a module.',
    openClient:
      'Connection leak: each request opens a connection and never closes it (handler at line {{line}}). Query a `Pool` that is created once, at the top level of a module.',
    inLoop:
      'Creates a pool in each iteration and never ends it: PostgreSQL runs out of connections. Create the pool before the loop.',
    scoped:
      'Creates a pool for each request (`Scope.REQUEST`): under load PostgreSQL runs out of connections. Create the pool in a provider of the default scope.',
    endsShared:
      'Ends the shared `{{pool}}` in a request handler (line {{line}}): every later query on it fails. End it only on shutdown.',
  },
  options: {
    properties: {
      clients: {
        type: 'boolean',
        description: 'Whether a connection without a pool, `new Client()`, is reported as well.',
      },
    },
    defaults: { clients: true },
    accepts: ({ messageId }, { clients }) =>
      clients || (messageId !== 'client' && messageId !== 'openClient'),
  },
});
