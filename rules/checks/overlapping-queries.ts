import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import {
  contains,
  findAncestor,
  parentOf,
  variableOf,
  type SourceFile,
  referencesOf,
} from '../syntax/source-file.ts';
import { libraryFor } from '../model/libraries.ts';
import { useOf } from '../syntax/uses.ts';
import { isPlainQuery } from '../typestate/query-results.ts';
import type { Here } from '../values/resolver.ts';
import type { Finding } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';
import { placeHolding, queriesAt } from './surely-queries.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { excerpt, receiverText } from '../syntax/excerpt.ts';

const rule = 'no-concurrent-client-query';

/** Queries of a followed client that begin while one before is not waited for. Those that take a callback are no matter here. */
export function findOverlaps(
  checkout: Checkout,
  analysis: Here,
  reported: readonly Node[],
): readonly Finding[] {
  const { file } = analysis;
  const { acquisition, exploration, overlaps: pairs } = checkout;
  if (acquisition.style === 'callback' || !exploration.isComplete) return [];
  const clientOf = (call: CallNode): Node | undefined => clientQueried(call, checkout, analysis);
  return [...pairs].flatMap(([query, before]) => {
    if (reported.some((node) => contains(node, query) || contains(node, before))) return [];
    const client = clientOf(query);
    if (client === undefined || clientOf(before) === undefined) return [];
    // Of several in a row the first is told.
    if (before !== query && pairs.has(before)) return [];
    if (
      isEmitter(before, file) ||
      isEmitter(query, file) ||
      isLeft(before) ||
      isHandled(query, before)
    )
      return [];
    return [overlap(query, before, client, file)];
  });
}

/** The client of a query, or of a function that surely makes one over it: `load(client)`. */
function clientQueried(
  call: CallNode,
  checkout: Checkout,
  { file, resolver }: Here,
): Node | undefined {
  const state = checkout.exploration.states.find(({ point }) => point.node === call);
  if (state === undefined) return undefined;
  const isClient = (node: Node): boolean => checkout.valueOf(node, state.fact) === 'client';
  if (call.callee.type === 'MemberExpression' && isClient(call.callee.object))
    return isPlainQuery(call, file) ? call.callee.object : undefined;
  if (libraryFor(checkout.acquisition.driver) !== undefined) return undefined;
  const place = placeHolding({ file, resolver }, checkout.graph.root, (node) =>
    isClient(node) ? { library: null, of: checkout } : undefined,
  );
  return queriesAt(call, place).find(({ isSure }) => isSure)?.client;
}

const asEmitter: ReadonlySet<string> = new Set(['on', 'once', 'then', 'catch']);

/** `const query = client.query(text); query.on('row', …)`: until pg 7 a query was an emitter and no promise. */
function isEmitter(query: CallNode, file: SourceFile): boolean {
  const up = parentOf(query);
  if (up?.type === 'MemberExpression') return true;
  const variable =
    up?.type === 'VariableDeclarator' && up.id.type === 'Identifier'
      ? variableOf(file, up.id)
      : undefined;
  return referencesOf(variable)
    .map((name) => useOf(name))
    .some((use) => use.kind === 'receiver' && asEmitter.has(use.member ?? ''));
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

function overlap(query: CallNode, before: CallNode, client: Node, file: SourceFile): Finding {
  const isSame = query === before;
  return {
    rule,
    messageId: isSame ? 'inNextRound' : 'overlapping',
    data: {
      client: receiverText(client, file),
      line: String(before.loc.start.line),
    },
    place: query.loc,
    steps: [
      stepOf(before, file, 'starts and is not awaited.'),
      stepAt(
        query,
        isSame
          ? 'The next iteration starts it again before it has ended.'
          : `${excerpt(query, file)} starts before the first has ended.`,
      ),
    ],
    suggestions: awaited(before),
  };
}

/** `await` is safe where nobody uses the promise and the function is asynchronous. */
function awaited(query: CallNode): readonly Suggestion[] {
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
