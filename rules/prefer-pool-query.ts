import { describeRule } from './rule-text.ts';

/**
 * The pool's `query()` checks a client out, sends one statement and releases the client; if the statement fails it closes the
 * connection instead (pg-pool 3.14 `index.js`, `query`). Code that does this by hand can forget a part of it.
 *
 * Not seen: clients that come from a function.
 */
export default describeRule({
  id: 'prefer-pool-query',
  description: 'Prefer `pool.query()` to checking a client out for a single statement.',
  severities: { strict: 'warn' },
  type: 'suggestion',
  hasSuggestions: true,
  safeSuggestions: ['usePool'],
  messages: {
    single:
      'Checks out a client of `{{pool}}` for a single statement (line {{line}}). Use `{{pool}}.query()`, which releases the client automatically.',
    usePool: 'Use `{{pool}}.query()`.',
  },
});
