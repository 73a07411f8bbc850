import { describeRule } from './rule-text.ts';

interface Options {
  readonly allowSettings: readonly string[];
  readonly allow: readonly string[];
}

/**
 * A release resets nothing: settings, LISTEN, session advisory locks and temporary tables stay on the connection and reach
 * its next borrower (pg-pool 3.14 `index.js`, `_release`). Behind a pooler in transaction mode they reach other applications, or fail.
 *
 * Not seen: statements whose text is not constant at its start, and what a function of the database leaves behind.
 */
export default describeRule<Options>({
  id: 'no-session-state',
  description: 'SET, LISTEN, temporary tables and session locks stay on a pooled client.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    unknownPooler:
      '`settings.poolguard.pooler` is `{{setting}}`, which Poolguard does not know. Kinds: {{kinds}}. Modes: {{modes}}. A version reads like `1.24`.',
    unknownSetting: '`{{setting}}` is no setting of Poolguard. Known here: {{names}}.',
    onPool:
      '{{query}} leaves {{what}} on whichever client the pool picks: later statements may run on another one, and its next borrower gets it. {{cure}}.',
    atRelease:
      '{{query}} leaves {{what}} on a connection that goes back to the pool at line {{line}}: its next borrower gets it. {{cure}}.',
    elsewhere:
      '{{query}} leaves {{what}} on a client that is released elsewhere: unless whoever releases it takes that back, its next borrower gets it. {{cure}}.',
    staysLocked:
      '{{query}} takes {{what}}. Where the unlock at line {{line}} fails, as it does in a failed transaction, the connection {{goes}} with the lock still taken. Use `pg_advisory_xact_lock` inside a transaction, or destroy the connection then: `client.release(error)`.',
    lateSetUp:
      "{{query}} leaves {{what}} on the connection, but behind its borrower's first query: the pool does not wait for a '{{event}}' listener, and only what the listener asks before its first `await` comes earlier. Send it in one text with the first query, or from `onConnect` (pg 8.20 and newer), which the pool waits for.",
    listens:
      "{{query}} keeps one of the pool's clients for as long as it listens, and the pool does not renew it when its connection ends. {{cure}}.",
    leaks:
      '{{query}}: behind {{pooler}} in {{mode}} mode {{what}} leaks to the next borrower of the server connection, and this client may lose it at once. {{cure}}.',
    breaks:
      '{{query}}: {{what}} breaks behind {{pooler}} in {{mode}} mode, where each transaction may run on another connection. {{cure}}.',
    pins: '{{query}}: {{what}} pins the connection behind {{pooler}}, which then is not shared any more. {{cure}}.',
    setLocal: 'Set it for the open transaction only.',
    configLocal: 'Set it for the open transaction only.',
    lockLocal: 'Take the lock for the open transaction only.',
  },
  hasSuggestions: true,
  options: {
    properties: {
      allowSettings: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        description:
          'Settings that may stay on a connection, such as `search_path`, because every borrower sets them.',
      },
      allow: {
        type: 'array',
        items: {
          enum: [
            'set',
            'listen',
            'advisory-lock',
            'temp-table',
            'prepare',
            'load',
            'cursor-with-hold',
          ],
        },
        uniqueItems: true,
        description: 'Kinds of session state that are no finding.',
      },
    },
    defaults: { allowSettings: [], allow: [] },
    accepts: ({ data: { effect = '', setting = '' } }, { allowSettings, allow }) =>
      !effect
        .split(' ')
        .every(
          (each) =>
            allow.includes(each) ||
            (each === 'set' &&
              setting !== '' &&
              allowSettings.some((allowed) => allowed.toLowerCase() === setting)),
        ),
  },
});
