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
    'Disallow BEGIN, COMMIT and ROLLBACK through `pool.query()`, which may run each on another client.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    begins:
      'Begins a transaction on an arbitrary client of `{{pool}}`{{via}}: later statements may run on another. Check out a client with `pool.connect()` and run the whole transaction on it.',
    ends: 'Ends a transaction on an arbitrary client of `{{pool}}`{{via}}: the BEGIN may have run on another. Check out a client with `pool.connect()` and run the whole transaction on it.',
    savepoint:
      'Uses a savepoint on an arbitrary client of `{{pool}}`{{via}}: the BEGIN may have run on another. Check out a client with `pool.connect()` and run the whole transaction on it.',
  },
});
