import { isChain } from '../syntax/chains.ts';
import { isFunction, type Node, type CallNode, type FunctionNode } from '../syntax/node.ts';
import { isThrown, type Edge, type Point } from '../flow/graph.ts';
import { type CheckoutContext, methodOfClient } from './checkout.ts';
import type { Fact } from './facts.ts';
import { leftoverEvent, sitesOf, withLeftover } from './leftovers.ts';
import {
  findAncestor,
  unwrap,
  parentOf,
  variableOf,
  type SourceFile,
  isMember,
} from '../syntax/source-file.ts';
import { nextInChain, calledMember } from '../syntax/call-chain.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { someIn } from '../syntax/preorder.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import type { KnownFunction } from './outcome.ts';
import { isPlainQuery } from './query-results.ts';

/**
 * Follows whether a query is on its way: started, and nothing awaited since. Queries of a client run one after the other (pg 8.23
 * `lib/client.js`, `_pulseQueryQueue`), so whatever is awaited later on the client has waited for this one too; other awaits get
 * the benefit of the doubt.
 */
export function trackQueries(
  fact: Fact,
  { kind, node }: Point,
  edge: Edge,
  context: CheckoutContext,
): Fact {
  // An unlikely path is never reported, so its queries need no tracking.
  if (fact.status !== 'held' || fact.followsImplicitThrow) return leftoverEvent(fact, 'awaited');
  if (node === null) return fact;
  if (isWait(kind, node)) return leftoverEvent(fact, 'awaited');
  // A call that throws at once has sent nothing.
  const started =
    kind === 'eval' && !isThrown(edge.when) ? startedBy(node, fact, context) : undefined;
  if (started === undefined) return fact;
  const before = queryInFlight(fact, context);
  if (before !== undefined) context.log.onOverlap(started, before);
  return withLeftover(leftoverEvent(fact, 'awaited'), context.session.siteOf(started), 'in flight');
}

function queryInFlight(fact: Fact, { session }: CheckoutContext): CallNode | undefined {
  const [site] = sitesOf(fact, 'in flight');
  return site === undefined ? undefined : session.siteAt(site)?.call;
}

function isWait(kind: Point['kind'], node: Node): boolean {
  return (
    kind === 'settle' ||
    (kind === 'eval' &&
      (node.type === 'AwaitExpression' ||
        node.type === 'YieldExpression' ||
        (node.type === 'ForOfStatement' && node.await)))
  );
}

/** The query whose promise nobody has waited for when this node has been evaluated. */
function startedBy(node: Node, fact: Fact, context: CheckoutContext): CallNode | undefined {
  if (
    node.type === 'CallExpression' &&
    !isChained(node) &&
    (isQuery(node, fact, context) || isWork(node, fact, context))
  )
    return node;
  return node.type === 'ReturnStatement' && node.argument !== null
    ? returned(unwrap(node.argument), node, fact, context)
    : undefined;
}

/** A chain, or a function that is called in place, has been gone through as if it had been waited for; it is returned before it settles, unless to a chain. */
function returned(
  value: Node,
  statement: Node,
  fact: Fact,
  context: CheckoutContext,
): CallNode | undefined {
  const { handlers, inlined } = context.graph;
  const fn = findAncestor(statement, isFunction);
  if (fn !== undefined && handlers.has(fn)) return undefined;
  if (value.type === 'CallExpression' && inlined.has(value) && queriesInPlace(value, fact, context))
    return value;
  const start = startOfChain(value);
  return start !== undefined && (isQuery(start, fact, context) || isWork(start, fact, context))
    ? start
    : undefined;
}

function isChained(call: CallNode): boolean {
  const next = nextInChain(call);
  return next !== undefined && isChain(next);
}

function startOfChain(node: Node): CallNode | undefined {
  if (!isChain(node)) return undefined;
  const before = unwrap(node.callee.object);
  return startOfChain(before) ?? (before.type === 'CallExpression' ? before : undefined);
}

/** `client.query(text)`, which gives a promise. */
function isQuery(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const { driver, style } = context.acquisition;
  if (driver.promises !== 'always' && style === 'callback') return false;
  const name = methodOfClient(call, fact, context) ?? '';
  return driver.queries.includes(name) && isPlainQuery(call, context.file);
}

/** A call that has started queries when it returns and gives promises of them: a helper that is given the client, or one round for each element of a list. */
function isWork(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  if (context.graph.inlined.has(call)) return false;
  return (
    isHelper(call, fact, context) ||
    isOwnWork(call, fact, context) ||
    isQueryingRounds(call, fact, context)
  );
}

/** `const load = () => client.query(text); load()` */
function isOwnWork({ callee }: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const fn = context.closureOf(callee);
  if (fn === null || fn.generator) return false;
  return fn.async
    ? queriesIn(fn, fact, context)
    : returnedValues(context.file, fn).some((value) => {
        const call = unwrap(value);
        return call.type === 'CallExpression' && isQuery(call, fact, context);
      });
}

/** `(async () => { await client.query(text); })()` */
function queriesInPlace({ callee }: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const fn = unwrap(callee);
  return isFunction(fn) && fn.async && queriesIn(fn, fact, context);
}

function isHelper(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const index = call.arguments.findIndex(
    (argument) => context.accessPaths.valueOf(argument, fact) === 'client',
  );
  if (index === -1) return false;
  const callee = context.functionAt(call.callee);
  return callee === undefined
    ? isCallersWork(call, context.file)
    : callee.node.async || givesQuery(callee, index, context);
}

/** `return work(client)`: whoever asks for a client does something with it that takes time, unless its type says that it gives a plain value. */
function isCallersWork(call: CallNode, file: SourceFile): boolean {
  if (parentOf(call)?.type !== 'ReturnStatement' || call.callee.type !== 'Identifier') return false;
  const definition = variableOf(file, call.callee)?.defs[0];
  if (definition?.type !== 'Parameter') return false;
  const { typeAnnotation: type } =
    (definition.name as unknown as TSESTree.Identifier).typeAnnotation ?? {};
  const given = type?.type === 'TSFunctionType' ? type.returnType?.typeAnnotation.type : undefined;
  return given === undefined || !plainTypes.has(given);
}

const plainTypes: ReadonlySet<string> = new Set([
  'TSArrayType',
  'TSBigIntKeyword',
  'TSBooleanKeyword',
  'TSNumberKeyword',
  'TSStringKeyword',
]);

/** `(client) => client.query(text)` */
function givesQuery(
  { node, file }: KnownFunction,
  index: number,
  { acquisition: { driver } }: CheckoutContext,
): boolean {
  const client = paramsOf(node)[index];
  const variable = client === undefined ? undefined : variableOf(file, client);
  return (
    variable !== undefined &&
    returnedValues(file, node).some((value) => {
      const call = unwrap(value);
      return (
        call.type === 'CallExpression' &&
        isMember(call.callee, ...driver.queries) &&
        variableOf(file, call.callee.object) === variable &&
        isPlainQuery(call, file)
      );
    })
  );
}

const rounds: ReadonlySet<string> = new Set(['map', 'flatMap']);

/** `ids.map((id) => client.query(text, [id]))` */
function isQueryingRounds(call: CallNode, fact: Fact, context: CheckoutContext): boolean {
  const [given] = call.arguments;
  if (given === undefined || !rounds.has(calledMember(call) ?? '')) return false;
  const round = context.closureOf(given) ?? unwrap(given);
  return isFunction(round) && queriesIn(round, fact, context);
}

function queriesIn(round: FunctionNode, fact: Fact, context: CheckoutContext): boolean {
  return someIn(
    context.file,
    round.body,
    (node: Node) =>
      node.type === 'CallExpression' &&
      (isQuery(node, fact, context) || isHelper(node, fact, context)),
    isFunction,
  );
}
