import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import {
  contains,
  findAncestor,
  parentOf,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Finding } from './finding.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { mention, placeOf } from '../syntax/mention.ts';

const rule = 'no-concurrent-client-query';

/** Queries of a followed client that begin while one before is not waited for. Those that take a callback are no matter here. */
export function findOverlaps(
  { acquisition, exploration, overlaps: pairs }: Checkout,
  file: SourceFile,
  reported: readonly Node[],
): readonly Finding[] {
  if (acquisition.style === 'callback' || !exploration.isComplete) return [];
  return [...pairs].flatMap(([query, before]) => {
    if (
      reported.some((node) => contains(node, query) || contains(node, before)) ||
      !isPlainQuery(query, file) ||
      !isPlainQuery(before, file)
    )
      return [];
    // Of several in a row the first is told.
    if (before !== query && pairs.has(before)) return [];
    if (
      isEmitter(before, file) ||
      isEmitter(query, file) ||
      isLeft(before) ||
      isHandled(query, before)
    )
      return [];
    return [overlap(query, before, acquisition.poolText, file)];
  });
}

/** `const query = client.query(text); query.on('row', …)`: until pg 7 a query was an emitter and no promise. */
function isEmitter(query: TSESTree.CallExpression, file: SourceFile): boolean {
  const up = parentOf(query);
  if (up?.type === 'MemberExpression') return true;
  const variable =
    up?.type === 'VariableDeclarator' && up.id.type === 'Identifier'
      ? variableOf(file, up.id)
      : undefined;
  return (
    variable?.references.some(({ identifier }) =>
      /^\s*\.\s*(?:on|once|then|catch)\b/u.test(
        file.text.slice((identifier as unknown as Node).range[1]),
      ),
    ) === true
  );
}

/** `return client.query(…)`: what a `finally` does behind that is another rule's matter. */
function isLeft(query: Node): boolean {
  return (
    findAncestor(query, (each): each is Node => each.type === 'ReturnStatement' || isFunction(each))
      ?.type === 'ReturnStatement'
  );
}

/** What a `catch` or `finally` sends behind something that failed. */
function isHandled(query: Node, before: Node): boolean {
  const handler = findAncestor(
    query,
    (each): each is Node =>
      each.type === 'CatchClause' ||
      (each.parent?.type === 'TryStatement' && each.parent.finalizer === each),
  );
  return handler !== undefined && !contains(handler, before);
}

function overlap(
  query: TSESTree.CallExpression,
  before: TSESTree.CallExpression,
  poolText: string,
  file: SourceFile,
): Finding {
  const isSame = query === before;
  const client =
    query.callee.type === 'MemberExpression'
      ? file.text.slice(...query.callee.object.range)
      : poolText;
  return {
    rule,
    messageId: isSame ? 'inNextRound' : 'overlapping',
    data: { client, what: mention(query, file), line: String(before.loc.start.line) },
    place: placeOf(query),
    steps: [
      {
        place: placeOf(before),
        text: `${mention(before, file)} starts, and nothing waits for it here.`,
      },
      {
        place: placeOf(query),
        text: isSame
          ? 'The next round starts it once more, before the first is done.'
          : `${mention(query, file)} starts before the first is done.`,
      },
    ],
    suggestions: awaited(before),
  };
}

/** `await` is safe where nobody uses the promise and the function is asynchronous. */
function awaited(query: TSESTree.CallExpression): readonly Suggestion[] {
  if (
    parentOf(query)?.type !== 'ExpressionStatement' ||
    findAncestor(query, isFunction)?.async !== true
  )
    return [];
  return [
    {
      messageId: 'addAwait',
      data: { line: String(query.loc.start.line) },
      edits: [{ range: [query.range[0], query.range[0]], text: 'await ' }],
    },
  ];
}
