import { describeRule } from './rule-text.ts';

/**
 * The pool's `query()` checks a client out, sends one statement and gives the client back; where the statement fails it closes the
 * connection instead (pg-pool 3.14 `index.js`, `query`). Code that does this by hand can forget a part of it.
 *
 * Not seen: clients that come from a function.
 */
export default describeRule({
  id: 'prefer-pool-query',
  description:
    'A client is checked out for a single statement, which `pool.query()` does in one call.',
  severities: { strict: 'warn' },
  type: 'suggestion',
  hasSuggestions: true,
  messages: {
    single:
      'This client is checked out for one statement only, at line {{line}}: `{{pool}}.query()` checks out, queries and releases in one call, and cannot leak. It also closes a connection on which the statement failed.',
    usePool: 'Use `{{pool}}.query()`.',
  },
});
