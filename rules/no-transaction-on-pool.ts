import { describeRule } from './rule-text.ts';

/**
 * `pool.query` checks a client out for one query and releases it (pg-pool 3.14 `index.js`, `query`), while a transaction belongs to one
 * connection. Without other callers each query gets the same client, and the transaction works until there is load.
 *
 * Not seen: pools of one client (`max: 1`), pools that a function creates and queries one statement at a time, and wrappers that query a client in some cases.
 */
export default describeRule({
  id: 'no-transaction-on-pool',
  description:
    'Disallow BEGIN, COMMIT and ROLLBACK through `pool.query()`, which may run each on another client.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    begins:
      'Begins a transaction on an arbitrary client of `{{pool}}`{{via}}: {{rest}} may run on another. Check out one client and run the whole transaction on it.',
    ends: 'Ends a transaction on an arbitrary client of `{{pool}}`{{via}}: the BEGIN may have run on another. Check out one client and run the whole transaction on it.',
    savepoint:
      'Uses a savepoint on an arbitrary client of `{{pool}}`{{via}}: the BEGIN may have run on another. Check out one client and run the whole transaction on it.',
  },
});
