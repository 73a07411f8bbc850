import { describeRule } from './rule-text.ts';

/**
 * `pool.query` checks a client out for one query and gives it back (pg-pool 3.14 `index.js`, `query`). A transaction belongs to one
 * connection. As long as nobody else uses the pool, the same client comes back each time, so that it works until there is load.
 *
 * Not seen: pools of one client (`max: 1`), pools that a function makes for itself and asks for one query after the other, and wrappers that send to a client in some cases.
 */
export default describeRule({
  id: 'no-transaction-on-pool',
  description:
    'BEGIN, COMMIT or ROLLBACK through `pool.query`, which may send each statement over another client.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    begins:
      '{{query}} begins a transaction on whichever client of `{{pool}}` is free, and gives that client back at once: the statements that follow may run on other clients, where they are committed one by one and no ROLLBACK undoes them, and the next borrower of this client writes into the open transaction.{{remedy}}',
    ends: '{{query}} may run on another client of `{{pool}}` than the BEGIN did: there it ends nothing, or the transaction of somebody else, and the first client goes on with an open transaction for its next borrowers.{{remedy}}',
    savepoint:
      '{{query}} may run on another client of `{{pool}}` than the BEGIN did: there it fails with "can only be used in transaction blocks", or reaches into the transaction of somebody else.{{remedy}}',
  },
});
