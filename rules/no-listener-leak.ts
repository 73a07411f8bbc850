import { describeRule } from './rule-text.ts';

/**
 * A release takes no listener off (pg-pool 3.14 `index.js`, `_release`). One that is added at each checkout stays on the connection
 * with all that its function can see, and every later event calls all of them; from the eleventh on Node warns of a leak.
 *
 * Not seen: `once`, listeners that a function adds which gives the client back, and those on clients that a helper lends.
 */
export default describeRule({
  id: 'no-listener-leak',
  description:
    'A listener is put on a client at each checkout and is still there when it goes back.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'warn' },
  hasSuggestions: true,
  messages: {
    left: "{{what}} adds a listener at each checkout from `{{pool}}`, and line {{line}} gives the client back with it: it stays on the connection and keeps this call's variables alive, each event calls all that were left, and from the eleventh on Node warns of a leak. Take it off before the release, or add it once for each connection in `pool.on('connect', …)`.",
    atAcquire:
      "{{what}} adds one more listener to the connection at each checkout: each event calls all of them. Add it once for each connection, in `pool.on('connect', …)`.",
    removeBefore: 'Take the `{{event}}` listener off before the release.',
  },
});
