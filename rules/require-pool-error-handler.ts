import { describeRule } from './rule-text.ts';

/**
 * When the backend of an idle client goes away (restart, failover, `pg_terminate_backend`), the pool emits 'error' (pg-pool 3.14
 * `index.js`, `makeIdleListener`), and a client that no pool looks after emits it itself (pg 8.23 `client.js`). Node.js throws an
 * 'error' event that nobody listens to, and the process ends.
 *
 * Not seen: pools that unknown code has, and listeners that are added under a condition other than a variable of the environment.
 */
export default describeRule({
  id: 'require-pool-error-handler',
  description:
    "Nothing listens for the 'error' events of a pool or of a client that is kept: a lost connection ends the process.",
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  hasSuggestions: true,
  messages: {
    pool: "Nothing listens to the 'error' events of `{{name}}`: when PostgreSQL restarts, fails over or ends an idle connection, the pool emits one, and an 'error' event that nobody listens to ends the process. The pool replaces the client by itself, so logging is enough: `{{name}}.on('error', …)`.",
    unnamedPool:
      "Nothing listens to the 'error' events of this pool: when PostgreSQL restarts, fails over or ends an idle connection, the pool emits one, and an 'error' event that nobody listens to ends the process. Keep the pool in a variable and log the error: `pool.on('error', …)`.",
    connection:
      "Nothing listens to the 'error' events of `{{name}}`, a connection that is kept: when PostgreSQL restarts, fails over or ends it, the client emits one, and an 'error' event that nobody listens to ends the process. Add `{{name}}.on('error', …)` that logs, and connect anew on 'end': one loss can emit 'error' twice, and 'end' once.",
    listeningClient:
      "Nothing listens to the 'error' events of `{{name}}`, which is kept to wait for notifications: the handler of `{{pool}}` is for idle clients only, so when this connection is lost the process ends. Add `{{name}}.on('error', …)` that logs, and on 'end' give the client back with `{{name}}.release(true)` and listen anew: one loss can emit 'error' twice, and 'end' once.",
    addHandler: "Add `{{name}}.on('error', …)` behind the declaration.",
  },
});
