import { describeRule } from './rule-text.ts';

/**
 * `client.end()` closes the connection and tells the pool nothing: the client still counts as checked out until `release()` is
 * called (pg-pool 3.14 `index.js`, `_release` and `_remove`), and `pool.end()` waits for it for ever.
 *
 * Not seen: clients of unknown origin, and an `end()` in a function that somebody calls later.
 */
export default describeRule({
  id: 'no-end-pooled-client',
  description:
    '`end()` on a client that a pool lent closes the connection, and its place in the pool stays taken.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    neverReleased:
      "{{what}} closes the connection but does not give its place in `{{pool}}` back: without a release each such call takes one of the pool's clients for good ({{size}}), and `pool.end()` never resolves. Call `{{client}}.release(true)` instead, which does both.",
    closed:
      '{{what}} closes a connection of `{{pool}}` that line {{line}} then releases: the pool throws it away and opens a new one for the next caller. Drop this call, or write `release(true)` there if the connection is to be closed.',
    releaseInstead: 'Release with `release(true)` instead.',
  },
});
