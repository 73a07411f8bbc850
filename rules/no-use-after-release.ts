import { describeRule } from './rule-text.ts';

/**
 * A released client is somebody else's: what it is asked to do from then on runs inside of their transaction (pg-pool 3.14
 * `index.js`, `_release`). A query whose result is awaited only behind the release is such work.
 *
 * Not seen: work in functions that somebody calls later, and clients that are kept in fields.
 */
export default describeRule({
  id: 'no-use-after-release',
  description: 'A client is used, or a query of it still runs, when it has gone back to the pool.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    used: '{{what}} runs on a client of `{{pool}}` that line {{line}} has released on some path: {{harm}}. Move it before the release.',
    handedOn:
      '{{what}} gets a client of `{{pool}}` that line {{line}} has released on some path: {{harm}}. Hand it on before the release, or leave the release to the receiver.',
    usedAfterEnd:
      '{{what}} runs in a transaction of `{{pool}}` that line {{line}} has ended on some path: {{harm}}. Move it before the end.',
    usedAfterCallback:
      '{{what}} uses a handle of `{{pool}}` whose connection has gone back at line {{line}}: {{harm}}. Move it into the callback, or use `{{pool}}`.',
    returnedUnsettled:
      '{{what}} is returned without `await`, so line {{line}} releases this client of `{{pool}}` while that still runs: the next borrower shares the connection with it, and a `catch` here sees no failure. Write `return await`.',
    notAwaited:
      '{{what}} is not awaited before line {{line}} releases this client of `{{pool}}`: the next borrower shares the connection with it, and a failure comes when the client is gone. Await it before the release.',
    unawaited:
      '{{what}} is not awaited before the {{held}} of `{{pool}}` ends: {{harm}}. Await it.',
    floating:
      '{{what}} is not awaited and goes on after the {{held}} of `{{pool}}` has ended: {{harm}}. Await it.',
    deferred:
      '{{what}} runs after the {{held}} of `{{pool}}` has ended: {{harm}}. Await it in the callback, or use `{{pool}}` for it.',
    addAwait: 'Add `await`.',
    releaseInFinally: 'Release the client in a `finally`, behind this.',
    moveIntoTry:
      'Leave the release to the `finally`, and begin the `try` right after the checkout.',
  },
});
