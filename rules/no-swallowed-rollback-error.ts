import { describeRule } from './rule-text.ts';

/**
 * A lost connection is no harm here: the pool sees for itself that it cannot be queried (pg-pool 3.14 `index.js`, `_release`). But a
 * ROLLBACK that `query_timeout` gives up on while a slow statement runs is taken off the queue and never sent (pg 8.23
 * `lib/client.js`, `query`), and the connection stays in its transaction.
 *
 * Silent where the pool has no `query_timeout`, or where that is not known.
 *
 * Not seen: a failed ROLLBACK whose error goes on to the caller, and helpers whose code is not in the repository.
 */
export default describeRule({
  id: 'no-swallowed-rollback-error',
  description:
    'With `query_timeout`, a ROLLBACK may never be sent; its error is dropped, and the connection is kept as if all were well.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    keptAfterFailure:
      'Where {{rollback}} (line {{line}}) fails, its error goes no further, and this gives the connection back to `{{pool}}` as if it had been rolled back. This pool has a `query_timeout`: a ROLLBACK that waits for a slow statement may never be sent, so the transaction is still open, and the next borrower gets it. Destroy the connection then: `release(rollbackError)`.',
    destroy: 'Give the error to the release, which then closes the connection.',
  },
});
