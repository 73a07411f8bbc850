import { describeRule } from './rule-text.ts';

interface Options {
  readonly allowSettings: readonly string[];
  readonly allow: readonly string[];
}

/**
 * A release resets nothing: settings, LISTEN, session advisory locks and temporary tables stay on the connection and reach its next
 * user (pg-pool 3.14 `index.js`, `_release`). Behind a pooler in transaction mode they reach other applications, or fail.
 *
 * Not seen: statements whose text is not constant at its start, and the session state that a function of the database sets.
 */
export default describeRule<Options>({
  id: 'no-session-state',
  description:
    'Disallow session state that stays on a pooled client: SET, LISTEN, temporary tables, session locks.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    unknownPooler:
      '`settings.poolguard.pooler` has the unknown value `{{setting}}`. Use `kind:mode:version` with a kind of {{kinds}}, a mode of {{modes}}, and a version such as `1.24`.',
    unknownSetting: '`{{setting}}` is not a setting of Poolguard. Use one of {{names}}.',
    onPool:
      '{{subject}} stays on an arbitrary connection: later queries may miss it, other callers inherit it. {{cure}}{{via}}.',
    atRelease:
      '{{subject}} outlives this checkout (line {{line}}): the next user of the connection inherits it. {{cure}}{{via}}.',
    elsewhere:
      '{{subject}} outlives this function: the next user of the connection may inherit it. {{cure}}{{via}}.',
    staysLocked:
      '{{subject}} stays taken if the unlock at line {{line}} fails, as it does in an aborted transaction. Use `pg_advisory_xact_lock` in a transaction, or destroy the connection then.',
    lateSetUp:
      "{{subject}} comes after the first query of the connection's user: the pool does not wait for a '{{event}}' listener. Send it in the listener's first query, or use `onConnect` (pg 8.20 and newer), which the pool awaits.",
    listens:
      'LISTEN occupies a client of the pool, which does not replace it when its connection is lost. {{cure}}{{via}}.',
    leaks:
      '{{subject}} leaks behind {{pooler}} in {{mode}} mode: the next client of the connection inherits it. {{cure}}{{via}}.',
    breaks:
      '{{subject}} breaks behind {{pooler}} in {{mode}} mode: each transaction may use another connection. {{cure}}{{via}}.',
    pins: '{{subject}} pins its connection behind {{pooler}}: no other client can share it. {{cure}}{{via}}.',
    setLocal: 'Use `SET LOCAL`.',
    configLocal: 'Pass `true` to `set_config()`.',
    lockLocal: 'Use the transaction-level lock.',
  },
  hasSuggestions: true,
  options: {
    properties: {
      allowSettings: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        description:
          'Settings that may stay on a connection, such as `search_path`, because every caller sets them.',
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
        description: 'Kinds of session state that are not reported.',
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
