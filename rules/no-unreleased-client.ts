import { describeRule } from './rule-text.ts';

/**
 * A client that is not released is lost: after `max` of them (10 by default) every caller waits, indefinitely unless
 * `connectionTimeoutMillis` is set (pg-pool 3.14 `index.js`).
 *
 * Not seen: a client that is passed to code outside this file, or returned: its receiver must release it. One in a field is seen if
 * no other code can have it.
 */
export default describeRule<{ readonly checkExceptions: boolean }>({
  id: 'no-unreleased-client',
  description: 'Require every checked-out client to be released on every path.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  safeSuggestions: ['releaseInFinally', 'moveIntoTry', 'callDone'],
  messages: {
    neverReleased: 'Connection leak: {{client}} is never released{{limits}}. {{remedy}}.',
    connectionNeverReleased: 'Connection leak: {{client}} is never released. {{remedy}}.',
    notReleasedOnSomePath: 'Connection leak: {{client}} is never released {{when}}. {{remedy}}.',
    notReleasedOnThrow: 'Connection leak: {{client}} is never released {{when}}. {{remedy}}.',
    acquiredAgain:
      'Connection leak: the next iteration replaces {{client}} before it is released{{where}}. Release it before the next iteration.',
    listNeverReleased:
      'Connection leak: the clients of `{{pool}}` in `{{list}}` are never released{{limits}}. Release each of them in a `finally`.',
    outOfReach:
      'Connection leak: this client of `{{pool}}` is never released, because no variable holds it. Keep the client in a variable and release it in a `finally`.',
    lostConnection:
      'Connection leak: this connection is never closed, because no variable holds its client. Keep the client in a variable and call `end()` in a `finally`.',
    keptForAll:
      'All callers share the one client in `{{clientOwner}}` (line {{line}}): their transactions mix on one connection. Use `{{pool}}.query()`, or check out a client for each unit of work.',
    releasedByEvent:
      "Connection leak: {{client}} is never released if {{when}}. Move the release to '{{last}}' of `{{emitter}}` (line {{line}}), which comes last in every case.",
    endNotSent:
      'Connection leak: {{end}} at line {{line}} sends nothing without `.{{by}}()`. Call `.{{by}}()` on it.',
    neverEnded:
      'Connection leak: this transaction of `{{pool}}` is never committed or rolled back. {{remedy}}.',
    notEndedOnSomePath:
      'Connection leak: this transaction of `{{pool}}` stays open {{when}}. {{remedy}}.',
    notEndedOnThrow:
      'Connection leak: this transaction of `{{pool}}` stays open {{when}}. {{remedy}}.',
    begunAgain:
      'Connection leak: the next iteration begins another transaction of `{{pool}}` before this one ends{{where}}. Commit or roll back before the next iteration.',
    releaseInFinally: 'Release the client in a `finally`.',
    moveIntoTry: 'Start the `try` right after the checkout.',
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
