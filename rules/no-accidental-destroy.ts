import { describeRule } from './rule-text.ts';

/**
 * `release()` treats any truthy argument as an error and closes the connection (pg-pool 3.14 `index.js`, `_release`). With a query
 * result as its argument it closes a working connection every time, and the pool opens a new one for each caller.
 *
 * Not seen: values that may be truthy or not, and functions other than `then` that the release is passed to.
 */
export default describeRule({
  id: 'no-accidental-destroy',
  description:
    'Disallow truthy arguments of `release()` that close a working connection by accident.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  safeSuggestions: ['callPlainly'],
  messages: {
    given:
      'Closes a working connection: `{{release}}` treats {{argument}} ({{what}}) as an error. Call it without an argument, or with `true` to close the connection on purpose.',
    passed:
      'Closes a working connection: `then` calls `{{release}}` with {{what}}, which counts as an error. Write `() => {{release}}()`, or pass it to `finally`.',
    dropArgument: 'Remove {{argument}}.',
    callPlainly: 'Use `() => {{release}}()`.',
  },
});
