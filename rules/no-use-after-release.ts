import { describeRule } from './rule-text.ts';

/**
 * A released client belongs to its next user, and a late query runs inside their transaction (pg-pool 3.14 `index.js`, `_release`). A
 * query whose result is awaited only after the release is such a query.
 *
 * Not seen: work in functions that are called later, and clients in fields.
 */
export default describeRule({
  id: 'no-use-after-release',
  description: 'Disallow using a client, or leaving a query running, after its release.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  safeSuggestions: ['addAwait', 'releaseInFinally', 'moveIntoTry'],
  messages: {
    used: 'Runs after line {{line}} released the client of `{{pool}}`: {{harm}}. Move it before the release.',
    handedOn:
      'Receives the client of `{{pool}}` after line {{line}} released it: {{harm}}. Pass the client on before the release, or leave the release to the receiver.',
    usedAfterEnd:
      'Runs after line {{line}} ended the transaction of `{{pool}}`: {{harm}}. Move it before the end.',
    usedAfterCallback:
      'Runs after the callback of `{{pool}}` ended at line {{line}}: {{harm}}. Move it into the callback, or use `{{pool}}`.',
    returnedUnsettled:
      "This query still runs after line {{line}} releases the client of `{{pool}}`: it may join the next caller's transaction. Write `return await`.",
    notAwaited:
      "This query still runs after line {{line}} releases the client of `{{pool}}`: it may join the next caller's transaction. Await it before the release.",
    unawaited: 'The {{held}} of `{{pool}}` does not wait for this query: {{harm}}. Await it.',
    floating: 'The {{held}} of `{{pool}}` ends before this query runs: {{harm}}. Await it.',
    deferred:
      'The {{held}} of `{{pool}}` ends before this query runs: {{harm}}. Await it in the callback, or use `{{pool}}`.',
    addAwait: 'Add `await`.',
    releaseInFinally: 'Move the release to a `finally`.',
    moveIntoTry: 'Start the `try` right after the checkout and release in its `finally` only.',
  },
});
