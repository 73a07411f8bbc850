import type { TSESTree } from '@typescript-eslint/types';
import type { Rule, SourceCode } from 'eslint';
import { treeOf } from '../../rules/project/parse-file.ts';
import { childrenWithTypes } from '../../rules/syntax/preorder.ts';
import type { Finding } from '../../rules/index.ts';
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
      'Program:exit'() {
        const { sourceCode } = context;
        if (sourceCode.text.includes('release')) return;
        for (const { loc: place, range } of connectsIn(sourceCode)) {
          const exit = { start: place.end, end: place.end };
          record(sourceCode, {
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
            loc: place,
            messageId: 'leaked',
            suggest: [
              {
                messageId: 'release',
                fix: (fixer) =>
                  fixer.insertTextAfterRange(range, '.then((client) => client.release())'),
              },
            ],
          });
        }
      },
    }),
  };
}

/** Each `pool.connect()`. */
function connectsIn(sourceCode: SourceCode): readonly TSESTree.Node[] {
  const { ast, scopeManager: scopes, visitorKeys } = treeOf(sourceCode);
  const file = { path: '', text: sourceCode.text, ast, scopes, visitorKeys };
  const nodes: TSESTree.Node[] = [ast];
  // The list grows while it is read: it is the worklist.
  for (const node of nodes) nodes.push(...childrenWithTypes(file, node));
  return nodes.filter(
    (node) =>
      'callee' in node &&
      (node.type as string) === 'CallExpression' &&
      sourceCode.text.slice(...node.callee.range) === 'pool.connect',
  );
}
