import { describeRule } from './rule-text.ts';

/**
 * `release()` takes whatever is truthy for an error and closes the connection (pg-pool 3.14 `index.js`, `_release`). Given a result
 * by accident it throws away a connection that works, every time: the pool then opens a new one for each caller.
 *
 * Not seen: values that may be truthy or not, and functions that the release is passed to other than `then`.
 */
export default describeRule({
  id: 'no-accidental-destroy',
  description: 'A release gets something truthy by accident, which closes a connection that works.',
  severities: { recommended: 'error', strict: 'error', 'transaction-pooling': 'error' },
  hasSuggestions: true,
  messages: {
    given:
      '`{{release}}` gets {{argument}}, {{what}}: whatever is truthy counts as an error, so this closes a connection that works, and the pool opens a new one for the next caller. Call it without an argument, or with `true` to close the connection on purpose.',
    passed:
      '`then` calls `{{release}}` with {{what}}: whatever is truthy counts as an error, so this closes a connection that works, and the pool opens a new one for the next caller. Write `() => {{release}}()`, or pass it to `finally`, which gives it nothing.',
    dropArgument: 'Drop {{argument}}.',
    callPlainly: 'Write `() => {{release}}()`.',
  },
});
