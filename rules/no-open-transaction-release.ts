import { describeRule } from './rule-text.ts';

/**
 * A release resets nothing (pg-pool 3.14 `index.js`, `_release`): an open or failed transaction stays with the connection and reaches
 * its next user. `release(error)` and `release(true)` close the connection, and the server rolls back.
 *
 * `release()` of TypeORM's query runners ends nothing either (typeorm 1.1 and 0.3 `PostgresQueryRunner.js`, `releasePostgresConnection`).
 *
 * Not seen: a client that another function releases than the one that checks it out, and ends under some other condition.
 */
export default describeRule({
  id: 'no-open-transaction-release',
  description: 'Disallow releasing a client while its transaction is still open.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    open: 'Releases the client with the transaction from line {{line}} still open: the next user of the connection runs inside it. Send COMMIT or ROLLBACK before the release.',
    openAfterFailedQuery:
      'Releases the client in an aborted transaction if line {{throwLine}} fails: every statement of its next user fails. Send ROLLBACK in a `catch` before the release, or destroy the connection with `release(error)`.',
    openAfterError:
      'Releases the client in an open transaction if line {{throwLine}} throws: its next user runs inside that transaction. Send ROLLBACK in a `catch` before the release, or destroy the connection with `release(error)`.',
    openByMethod:
      'Releases the connection with the transaction from line {{line}} still open: its next user runs inside it. Commit, or call `{{rollback}}()`, before the release.',
    openByMethodAfterError:
      'Releases the connection in an open transaction if line {{throwLine}} throws: its next user runs inside that transaction. Call `{{rollback}}()` in a `catch` before the release.',
    committedOnThrow:
      '`await using` commits the unfinished transaction from line {{line}} if line {{throwLine}} throws. Call `{{rollback}}()` before the `throw`.',
    rollBack: "Send `{{client}}.query('ROLLBACK')` on failure.",
  },
});
