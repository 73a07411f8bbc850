import { describeRule } from './rule-text.ts';

/**
 * A client that is not released is gone: after `max` of them (10 unless set) every caller waits, for ever unless
 * `connectionTimeoutMillis` is set (pg-pool 3.14 `index.js`).
 *
 * Not seen: a client that is handed to code outside of this file, or returned: its new holder answers for it. One in a field is seen where
 * nobody else can have it.
 */
export default describeRule<{ readonly checkExceptions: boolean }>({
  id: 'no-unreleased-client',
  description:
    'A checked-out client does not come back on some path: normal, exception or callback branch.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    neverReleased:
      "No path releases this client of `{{pool}}`: each call keeps one of the pool's clients for good ({{size}}), then every caller {{then}}. {{remedy}}, or use the pool's own `query()` for a single statement.",
    connectionNeverReleased:
      'No path gives this connection of `{{pool}}` back: each call keeps one permanently. {{remedy}}.',
    notReleasedOnSomePath:
      "This client of `{{pool}}` is not released when the function leaves at line {{line}} ({{where}}): each such call keeps one of the pool's clients for good. {{remedy}}.",
    notReleasedOnThrow:
      "This client of `{{pool}}` is not released when line {{line}} throws ({{where}}): each such failure keeps one of the pool's clients for good. {{remedy}}.",
    acquiredAgain:
      'This call checks out another client of `{{pool}}` in the next round of the loop while the last one is still held{{where}}. Release each client before the next round.',
    listNeverReleased:
      'Connection leak: the clients of `{{pool}}` in `{{list}}` are never released ({{size}}). Once the pool is empty, every caller {{then}}. Release each client in a `finally`.',
    outOfReach:
      'Nothing can release this client of `{{pool}}`, because only {{what}} is kept of it: each call keeps one permanently with its first query. Keep the client in a variable and release it in a `finally`.',
    lostConnection:
      'Nobody can end this connection, because nothing keeps its client: each call leaves one open for as long as the program runs. Keep the client in a variable, and call `end()` in a `finally`.',
    keptForAll:
      'Nothing releases this client of `{{pool}}`, which `{{keeper}}` keeps for all callers (line {{line}}): their queries wait for one another, a BEGIN of one takes in the statements of the others, and when the connection is lost none is left. Use `pool.query`, or check a client out for each piece of work and release it.',
    releasedByEvent:
      "Connection leak: this client of `{{pool}}` is never released when {{when}}. Release it on '{{missing}}' of `{{emitter}}` as well (line {{line}}).",
    endNotSent:
      '{{end}} (line {{line}}) ends nothing without `.{{by}}()`: this transaction of `{{pool}}` stays open and keeps its connection permanently. Call `.{{by}}()` on it.',
    neverEnded:
      'No path commits or rolls back this transaction of `{{pool}}`: each call keeps a connection permanently. {{remedy}}.',
    notEndedOnSomePath:
      'This transaction of `{{pool}}` keeps its connection when the function leaves at line {{line}} ({{where}}): it is neither committed nor rolled back. {{remedy}}.',
    notEndedOnThrow:
      'This transaction of `{{pool}}` keeps its connection when line {{line}} throws ({{where}}): it is neither committed nor rolled back. {{remedy}}.',
    begunAgain:
      'This call begins another transaction of `{{pool}}` in the next round of the loop while the last one is still open{{where}}. Commit or roll back each one before the next round.',
    releaseInFinally: 'Release the client in a `finally`.',
    moveIntoTry: 'Begin the `try` right after the checkout.',
    callDone: 'Call `{{release}}` before the return.',
  },
  options: {
    properties: {
      checkExceptions: {
        type: 'boolean',
        description: 'Report clients that are lost only when something throws.',
      },
    },
    defaults: { checkExceptions: true },
    accepts: ({ messageId }, { checkExceptions }) =>
      checkExceptions || (messageId !== 'notReleasedOnThrow' && messageId !== 'notEndedOnThrow'),
  },
});
