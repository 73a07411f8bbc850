import { describeRule } from './rule-text.ts';

/**
 * `client.end()` closes the connection without informing the pool: the client still counts as checked out until `release()` is
 * called (pg-pool 3.14 `index.js`, `_release` and `_remove`), and `pool.end()` waits for it indefinitely.
 *
 * Not seen: clients of unknown origin, and an `end()` in a function that is called later.
 */
export default describeRule({
  id: 'no-end-pooled-client',
  description:
    'Disallow `end()` on a pooled client, which closes the connection but never frees its slot in the pool.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  safeSuggestions: ['releaseInstead'],
  messages: {
    neverReleased:
      'Connection leak: {{what}} closes the connection but does not free its slot in `{{pool}}`{{limits}}. Call `{{client}}.release(true)` instead.',
    closed:
      '{{what}} closes the connection that line {{line}} releases: `{{pool}}` has to open a new one. Remove this call, or use `release(true)` to close the connection on purpose.',
    releaseInstead: 'Call `release(true)` instead.',
  },
});
