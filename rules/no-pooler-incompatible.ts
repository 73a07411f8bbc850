import { describeRule } from './rule-text.ts';

interface Options {
  readonly ignoreStartupParameters: readonly string[];
  readonly hint: boolean;
}

/**
 * Behind a pooler, each transaction may run on another server connection, and the pooler decides what a connection starts with. What
 * needs one connection for longer fails there now and then, and a startup parameter that the pooler does not know is rejected.
 *
 * Not seen: poolers that `settings.poolguard.pooler` does not name, and their configuration.
 */
export default describeRule<Options>({
  id: 'no-pooler-incompatible',
  description:
    'Disallow what the configured pooler does not support: named statements, PREPARE, WITH HOLD, LOAD, startup parameters.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    breaks:
      '{{subject}} breaks behind {{pooler}} in {{mode}} mode: each transaction may use another connection. {{cure}}{{via}}.',
    leaks:
      '{{subject}} leaks behind {{pooler}} in {{mode}} mode: the next client of the connection inherits it. {{cure}}{{via}}.',
    pins: '{{subject}} pins its connection behind {{pooler}}: no other client can share it. {{cure}}{{via}}.',
    refusedTransaction:
      '{{pooler}} in statement mode rejects transactions of several statements. Send BEGIN, the statements and COMMIT as one query without parameters, or use transaction mode.',
    refusedAtStart:
      '{{pooler}} rejects connections that set {{parameter}} at startup. Set {{refused}} with `ALTER ROLE … SET` or `SET LOCAL`, or add it to `ignore_startup_parameters` of the pooler and to `ignoreStartupParameters` of this rule.',
    setPooler:
      'This pool connects to {{pooler}} ({{sign}} in {{where}}), but Poolguard does not know it. {{cure}}.',
  },
  options: {
    properties: {
      ignoreStartupParameters: {
        type: 'array',
        items: { type: 'string' },
        uniqueItems: true,
        description:
          'Parameters that the pooler is configured to ignore, as in its `ignore_startup_parameters`.',
      },
      hint: {
        type: 'boolean',
        description:
          'Whether to ask for `settings.poolguard.pooler` if an address is clearly that of a pooler.',
      },
    },
    defaults: { ignoreStartupParameters: [], hint: true },
    accepts({ messageId, data }, { ignoreStartupParameters, hint }) {
      if (messageId === 'setPooler') return hint;
      const ignored = new Set(ignoreStartupParameters.map((each) => each.trim().toLowerCase()));
      return (
        messageId !== 'refusedAtStart' ||
        (!(ignored.has('options') && /^`?options/u.test(data['parameter'] ?? '')) &&
          !(data['refused'] ?? '').split(', ').every((each) => ignored.has(each)))
      );
    },
  },
});
