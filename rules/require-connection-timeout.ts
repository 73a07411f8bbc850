import { describeRule } from './rule-text.ts';

interface Options {
  readonly maximum: number;
}

/** The largest delay of a timer in Node.js; a larger one fires at once. */
const longestDelayMillis = 2_147_483_647;

/**
 * `connectionTimeoutMillis` limits both the wait for a free client and the wait for a new connection, and is off by default (pg-pool
 * 3.14 `index.js`, `connect` and `newClient`). The pool reads its own options only: `connect_timeout` in a connection string does not
 * count.
 *
 * Not seen: configurations that come from a function, from a spread, or conditionally from another file.
 */
export default describeRule<Options>({
  id: 'require-connection-timeout',
  description:
    'Require `connectionTimeoutMillis`, without which callers wait indefinitely when the pool is exhausted.',
  severities: { strict: 'warn' },
  hasSuggestions: true,
  messages: {
    missing:
      '`pool.connect()` waits indefinitely when the pool is exhausted. Set `connectionTimeoutMillis`.',
    never:
      '`pool.connect()` waits indefinitely when the pool is exhausted: `connectionTimeoutMillis: {{millis}}` sets no limit. Set a positive number.',
    long: '`connectionTimeoutMillis: {{millis}}` exceeds the `maximum` of this rule. Set a smaller number.',
    add: 'Add `connectionTimeoutMillis: {{millis}}`.',
    replace: 'Set it to {{millis}}.',
  },
  options: {
    properties: {
      maximum: {
        type: 'integer',
        minimum: 1,
        maximum: longestDelayMillis,
        description: 'The longest time, in milliseconds, that callers of a pool may wait.',
      },
    },
    defaults: { maximum: longestDelayMillis },
    accepts: ({ messageId, data }, { maximum }) =>
      messageId !== 'long' || Number(data['millis']) > maximum,
  },
});
