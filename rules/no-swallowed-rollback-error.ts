import { describeRule } from './rule-text.ts';

/**
 * A lost connection is harmless here: the pool detects that it cannot be queried (pg-pool 3.14 `index.js`, `_release`). But a ROLLBACK
 * that times out (`query_timeout`) while a slow statement runs is removed from the queue and never sent (pg 8.23 `lib/client.js`,
 * `query`), and the connection stays in its transaction.
 *
 * Silent if the pool has no `query_timeout`, or if that is unknown.
 *
 * Not seen: a failed ROLLBACK whose error reaches the caller, and helpers whose code is outside the repository.
 */
export default describeRule({
  id: 'no-swallowed-rollback-error',
  description:
    'Disallow releasing a client after a ROLLBACK whose error is ignored, in a pool with `query_timeout`.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  safeSuggestions: ['destroy'],
  messages: {
    keptAfterFailure:
      'Releases the client with its transaction still open if the ROLLBACK at line {{line}} times out (`query_timeout`). Destroy the connection with `release(rollbackError)`.',
    destroy: 'Pass the error to `release()`.',
  },
});
