import { describeRule } from './rule-text.ts';

/**
 * When the backend of an idle client is lost (restart, failover, `pg_terminate_backend`), the pool emits 'error' (pg-pool 3.14
 * `index.js`, `makeIdleListener`), and a client without a pool emits it itself (pg 8.23 `client.js`). Node.js throws an 'error' event
 * that has no listener, and the process ends.
 *
 * Not seen: pools that unknown code has, and listeners that are added under a condition other than an environment variable.
 */
export default describeRule({
  id: 'require-pool-error-handler',
  description:
    "Require an 'error' listener on every pool and long-lived client, without which a lost connection crashes the process.",
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  hasSuggestions: true,
  messages: {
    pool: "A lost idle connection crashes the process: `{{name}}` has no 'error' listener. Add `{{name}}.on('error', …)` and log the error.",
    unnamedPool:
      "A lost idle connection crashes the process: this pool has no 'error' listener. Keep the pool in a variable and add `pool.on('error', …)`.",
    connection:
      "A lost connection crashes the process: `{{name}}` has no 'error' listener. Add `{{name}}.on('error', …)`, and reconnect on 'end'.",
    listeningClient:
      "A lost connection crashes the process: `{{name}}` has no 'error' listener (that of `{{pool}}` covers idle clients only). Add `{{name}}.on('error', …)`, and on 'end' call `{{name}}.release(true)` and LISTEN again.",
    addHandler: "Add `{{name}}.on('error', …)`.",
  },
});
