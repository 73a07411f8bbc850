import type { TSESTree } from '@typescript-eslint/types';
import type { Node } from '../syntax/node.ts';
import { parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { Batch } from '../syntax/batches.ts';
import type { Edit, Suggestion } from './suggestion.ts';

/** `await Promise.all([client.query(a), client.query(b)])`, its results unused or taken apart at once: the same, one after the other. */
export function inSequence(
  { place, parts }: Batch,
  started: readonly StartedQuery[],
  file: SourceFile,
): readonly Suggestion[] {
  const array = place.type === 'CallExpression' ? place.arguments[0] : undefined;
  const awaiting = parentOf(place);
  if (array?.type !== 'ArrayExpression' || awaiting?.type !== 'AwaitExpression') return [];
  const queries = parts.map(({ node }) => unwrap(node));
  if (
    queries.length !== array.elements.length ||
    queries.some((query) => !started.some(({ node, isMany }) => node === query && !isMany))
  )
    return [];
  const isPlain =
    /^await\s+Promise\s*\.\s*all\s*\(\s*$/u.test(
      file.text.slice(awaiting.range[0], array.range[0]),
    ) && /^\s*(?:,\s*)?\)$/u.test(file.text.slice(array.range[1], place.range[1]));
  const edits = isPlain ? sequenceEdits(awaiting, array, queries, file) : undefined;
  return edits === undefined ? [] : [{ messageId: 'oneByOne', data: {}, edits }];
}

interface StartedQuery {
  readonly node: Node;
  /** It is started once for each element of an array. */
  readonly isMany: boolean;
}

function sequenceEdits(
  awaiting: TSESTree.AwaitExpression,
  array: TSESTree.ArrayExpression,
  queries: readonly Node[],
  file: SourceFile,
): readonly Edit[] | undefined {
  const up = parentOf(awaiting);
  if (up?.type === 'VariableDeclarator' && up.id.type === 'ArrayPattern') {
    const outer: readonly Edit[] = [
      { range: [awaiting.range[0], array.range[0]], text: '' },
      { range: [array.range[1], awaiting.range[1]], text: '' },
    ];
    return [
      ...outer,
      ...queries.map(({ range: [start] }): Edit => ({ range: [start, start], text: 'await ' })),
    ];
  }
  const block = up?.type === 'ExpressionStatement' ? parentOf(up) : undefined;
  if (
    up?.type !== 'ExpressionStatement' ||
    (block?.type !== 'BlockStatement' && block?.type !== 'Program')
  )
    return undefined;
  return asStatements(up, awaiting, queries, file);
}

function asStatements(
  statement: Node,
  awaiting: Node,
  queries: readonly Node[],
  file: SourceFile,
): readonly Edit[] | undefined {
  const [first, last] = [queries[0], queries.at(-1)];
  const gaps = queries
    .slice(1)
    .map((query, index) => [queries[index]?.range[1] ?? 0, query.range[0]] as const);
  if (first === undefined || last === undefined) return undefined;
  const indent = /(?<![ \t])[ \t]*$/u.exec(file.text.slice(0, statement.range[0]))?.[0] ?? '';
  return [
    { range: [awaiting.range[0], first.range[0]], text: 'await ' },
    ...gaps.map((range): Edit => ({ range, text: `;\n${indent}await ` })),
    { range: [last.range[1], awaiting.range[1]], text: '' },
  ];
}
