import type { Rule, SourceCode } from 'eslint';
import type { Finding, Place } from '../../rules/index.ts';
import type { Plugin } from '../../src/lint/plugin.ts';

/**
 * A plugin with one simple rule, for tests of what surrounds the rules:
 * it reports each `pool.connect()` of a file that never says `release`, with a path of two steps and a suggestion.
 */
export function createTinyPlugin(): Plugin {
  const findings = new WeakMap<SourceCode, Finding[]>();
  const record = (sourceCode: SourceCode, finding: Finding) => {
    findings.set(sourceCode, [...(findings.get(sourceCode) ?? []), finding]);
  };
  const rules = { 'no-unreleased-client': createRule(record) };
  const plugin = { meta: { name: 'poolguard', version: '0' }, rules };
  const recommended = {
    name: 'poolguard/recommended',
    plugins: { poolguard: plugin },
    rules: { 'poolguard/no-unreleased-client': 'error' as const },
  };
  return {
    plugin: { ...plugin, configs: { recommended } },
    findingsOf: (sourceCode) => findings.get(sourceCode) ?? [],
  };
}

function createRule(record: (sourceCode: SourceCode, finding: Finding) => void): Rule.RuleModule {
  return {
    meta: {
      type: 'problem',
      hasSuggestions: true,
      docs: { description: 'Clients come back.', url: 'https://example.test/no-unreleased-client' },
      messages: { leaked: 'The client is never released.', release: 'Release it.' },
    },
    create: (context) => ({
      'CallExpression[callee.object.name="pool"][callee.property.name="connect"]'(node: Rule.Node) {
        if (context.sourceCode.text.includes('release')) return;
        const place = node.loc as Place;
        const exit = { start: place.end, end: place.end };
        record(context.sourceCode, {
          rule: 'no-unreleased-client',
          messageId: 'leaked',
          data: {},
          place,
          steps: [
            { place, text: 'The client is acquired here.' },
            { place: exit, text: 'It is lost here.' },
          ],
        });
        context.report({
          node,
          messageId: 'leaked',
          suggest: [
            {
              messageId: 'release',
              fix: (fixer) => fixer.insertTextAfter(node, '.then((client) => client.release())'),
            },
          ],
        });
      },
    }),
  };
}
