import { describeRule } from './rule-text.ts';

/**
 * A release resets nothing (pg-pool 3.14 `index.js`, `_release`): a transaction that is open, or has failed, stays with the
 * connection and reaches its next borrower. `release(error)` and `release(true)` close the connection, and the server rolls back.
 *
 * `release()` of TypeORM's query runners ends nothing either (typeorm 1.1 and 0.3 `PostgresQueryRunner.js`, `releasePostgresConnection`).
 *
 * Not seen: a client that is released in another function than the one that checks it out, and ends that some other test decides on.
 */
export default describeRule({
  id: 'no-open-transaction-release',
  description:
    'A client goes back to its pool with its transaction still open, and the next borrower works inside of it.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    open: 'This gives the client back to `{{pool}}` with the transaction that {{begin}} (line {{line}}) began still open: the statements of its next borrower run inside of it, uncommitted and holding their locks. COMMIT or ROLLBACK before the release.',
    openAfterFailedQuery:
      'Where {{thrower}} (line {{throwLine}}) fails, this gives the client back to `{{pool}}` with the transaction that {{begin}} (line {{line}}) began still open: every statement of its next borrower fails with "current transaction is aborted, commands ignored until end of transaction block". Send ROLLBACK in a `catch` before the release, or destroy the connection with `release(error)`.',
    openAfterError:
      'Where {{thrower}} (line {{throwLine}}) throws, this gives the client back to `{{pool}}` with the transaction that {{begin}} (line {{line}}) began still open: the statements of its next borrower run inside of it, uncommitted and holding their locks. Send ROLLBACK in a `catch` before the release, or destroy the connection with `release(error)`.',
    openByMethod:
      'This gives the connection back to `{{pool}}` with the transaction that {{begin}} (line {{line}}) began still open: the statements of its next user run inside of it, uncommitted and holding their locks. Commit, or call `{{rollback}}()`, before the release.',
    openByMethodAfterError:
      'Where {{thrower}} (line {{throwLine}}) throws, this gives the connection back to `{{pool}}` with the transaction that {{begin}} (line {{line}}) began still open: the statements of its next user run inside of it, uncommitted and holding their locks. Call `{{rollback}}()` in a `catch` before the release.',
    committedOnThrow:
      'Where line {{throwLine}} throws, `await using` commits what the transaction that {{begin}} (line {{line}}) began has done so far. Call `{{rollback}}()` before the `throw`.',
    rollBack: "Send `{{client}}.query('ROLLBACK')` when something fails.",
  },
});
