import { describeRule } from './rule-text.ts';

/**
 * A release removes no listener (pg-pool 3.14 `index.js`, `_release`). One that is added at each checkout stays on the connection with
 * the variables of its function, and every later event calls all of them; from the eleventh on Node.js warns of a leak.
 *
 * Not seen: `once`, listeners that a function adds which returns the client, and those on clients that a helper passes to a callback.
 */
export default describeRule({
  id: 'no-listener-leak',
  description: 'Disallow adding a listener at each checkout that is never removed from the client.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  hasSuggestions: true,
  safeSuggestions: ['removeBefore'],
  messages: {
    left: "Listener leak: {{what}} adds one at each checkout, and the release at line {{line}} does not remove it. Remove it before the release, or add it once in `{{pool}}.on('connect', …)`.",
    atAcquire:
      "Listener leak: {{what}} adds another listener to the connection at each checkout. Add it once in `{{pool}}.on('connect', …)`.",
    removeBefore: 'Remove the `{{event}}` listener before the release.',
  },
});
