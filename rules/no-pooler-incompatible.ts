import { describeRule } from './rule-text.ts';

interface Options {
  readonly ignoreStartupParameters: readonly string[];
  readonly hint: boolean;
}

/**
 * Behind a pooler, each transaction may run on another connection of the server, and a connection starts by the pooler's rules. What
 * needs one connection for longer fails there, now and then, and what the pooler does not know when a connection starts is refused.
 *
 * Not seen: poolers that `settings.poolguard.pooler` does not name, and what is configured in them.
 */
export default describeRule<Options>({
  id: 'no-pooler-incompatible',
  description:
    'What the configured pooler cannot do: named statements, PREPARE, WITH HOLD, LOAD, startup parameters.',
  severities: { recommended: 'warn', strict: 'error', 'transaction-pooling': 'error' },
  messages: {
    breaks:
      '{{query}}: {{what}} breaks behind {{pooler}} in {{mode}} mode, where each transaction may run on another connection. {{cure}}.',
    leaks:
      '{{query}}: behind {{pooler}} in {{mode}} mode {{what}} leaks to the next borrower of the server connection, and this client may lose it at once. {{cure}}.',
    pins: '{{query}}: {{what}} pins the connection behind {{pooler}}, which then is not shared any more. {{cure}}.',
    refusedTransaction:
      '{{query}}: {{pooler}} in statement mode refuses transactions of several statements. Send BEGIN, the statements and COMMIT as one text without values, or use transaction mode.',
    refusedAtStart:
      '{{parameter}} is sent when a connection starts, and {{pooler}} refuses connections that ask for a parameter it does not know. Set {{refused}} by `ALTER ROLE … SET` or with `SET LOCAL` inside a transaction, or add it to `ignore_startup_parameters` of the pooler and to `ignoreStartupParameters` of this rule; `query_timeout` works without the server.',
    setPooler:
      "{{sign}} in {{where}} points at {{pooler}}, and nothing is checked for it. Add `settings: { poolguard: { pooler: '{{setting}}' } }` to your ESLint configuration, or `pooler: false` if it is none.",
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
          'Whether to ask for `settings.poolguard.pooler` where an address plainly is that of a pooler.',
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
