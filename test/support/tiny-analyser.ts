import type { TSESTree } from '@typescript-eslint/types';
import type { FileAnalysis } from '../../rules/analyse.ts';
import type { Finding } from '../../rules/index.ts';
import { describeRule } from '../../rules/rule-text.ts';
import { plainPlace } from '../../rules/syntax/excerpt.ts';
import { childrenWithTypes } from '../../rules/syntax/preorder.ts';
import type { SourceFile } from '../../rules/syntax/source-file.ts';
import type { Analyser } from '../../src/lint/analyser.ts';

const rule = describeRule({
  id: 'no-unreleased-client',
  description: 'Clients come back.',
  severities: { recommended: 'error' },
  hasSuggestions: true,
  messages: { leaked: 'The client is never released.', release: 'Release it.' },
});

/**
 * One simple rule, for tests of what surrounds the rules: it reports each `pool.connect()` of a file that never says `release`, with a
 * path of two steps and a suggestion. `also` changes what is known of a file.
 */
export function createTinyAnalyser(
  also: (file: SourceFile) => Partial<FileAnalysis> = () => ({}),
): Analyser {
  return {
    rules: [rule],
    mayFind: () => true,
    analyse: (file) => ({
      findings: () => findingsIn(file),
      spans: () => [],
      pools: () => [],
      statements: () => [],
      queries: () => [],
      routes: () => [],
      verdicts: () => [],
      poolEdits: () => undefined,
      mistake: () => undefined,
      ...also(file),
    }),
  };
}

function findingsIn(file: SourceFile): readonly Finding[] {
  if (file.text.includes('release')) return [];
  return connectsIn(file).map(({ loc, range: [, end] }) => ({
    rule: rule.id,
    messageId: 'leaked',
    data: {},
    place: plainPlace(loc),
    steps: [
      { place: plainPlace(loc), text: 'The client is acquired here.' },
      { place: { start: loc.end, end: loc.end }, text: 'It is lost here.' },
    ],
    suggestions: [
      {
        messageId: 'release',
        data: {},
        edits: [{ range: [end, end], text: '.then((client) => client.release())' }],
      },
    ],
  }));
}

/** Each `pool.connect()`. */
function connectsIn(file: SourceFile): readonly TSESTree.Node[] {
  const nodes: TSESTree.Node[] = [file.ast];
  // The list grows while it is read: it is the worklist.
  for (const node of nodes) nodes.push(...childrenWithTypes(file, node));
  return nodes.filter(
    (node) =>
      'callee' in node &&
      (node.type as string) === 'CallExpression' &&
      file.text.slice(...node.callee.range) === 'pool.connect',
  );
}
