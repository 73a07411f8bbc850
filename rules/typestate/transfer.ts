import type { TSESTree } from '@typescript-eslint/types';
import { isThrown, type Edge, type Point } from '../flow/graph.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { promiseOf } from './acquisition.ts';
import { bind, settledValue } from './bindings.ts';
import type { AccessPath } from './access-path.ts';
import { effectOfClosure, throughCut } from './closures.ts';
import type { CheckoutContext } from './checkout.ts';
import { callAgain } from './begun.ts';
import { runRace } from './races.ts';
import { callHandler, callKnown } from './known-calls.ts';
import { trackConnection } from './connection.ts';
import {
  checkoutEvent,
  giveToPool,
  heldBy,
  lending,
  nothingLeft,
  transactionEvent,
  withAccessPath,
  type Fact,
  type Value,
} from './facts.ts';
import { leftoverEvent } from './leftovers.ts';
import { trackQueries } from './in-flight.ts';
import { noteReturned } from './value-returned.ts';
import { isReleasedHere } from './release-here.ts';
import { narrow } from './narrow.ts';
import { forgetFailed, recordStatement } from './session.ts';
import { failsWithConnection, isImplicitThrow } from './rejections.ts';
import { settle } from './settle.ts';
import { cannotSettle, settlePromise, settlingOf } from './settlement.ts';
import { contains, isMember } from '../syntax/source-file.ts';
import { end, release } from './releases.ts';
import { afterUse } from './after-use.ts';
import { paramsOf } from '../syntax/parameters.ts';

/** The facts after a point's operation, one for each way it can come out over this edge. */
export function transfer(
  fact: Fact,
  point: Point,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  if (point.kind === 'due')
    return isDue(fact, point, context) === (edge.when === 'true') ? [fact] : [];
  const facts = follow(fact, point, edge, context).map((each) =>
    trackConnection(
      trackQueries(noteCall(each, point, edge, context), point, edge, context),
      point,
      context,
    ),
  );
  return isImplicitThrow(fact, point, edge, context)
    ? facts.map((each) => leftoverEvent({ ...each, followsImplicitThrow: true }, 'awaited'))
    : facts;
}

/** A call whose callback runs later has been made. */
function noteCall(
  fact: Fact,
  { kind, node }: Point,
  { when }: Edge,
  { graph, accessPaths }: CheckoutContext,
): Fact {
  return kind === 'eval' && node !== null && graph.postponed.has(node) && !isThrown(when)
    ? withAccessPath(fact, accessPaths.intern({ kind: 'called', call: node }), 'true')
    : fact;
}

function isDue(fact: Fact, { node }: Point, { accessPaths }: CheckoutContext): boolean {
  return (
    node !== null && heldBy(fact, accessPaths.intern({ kind: 'called', call: node })) === 'true'
  );
}

function follow(fact: Fact, point: Point, edge: Edge, context: CheckoutContext): readonly Fact[] {
  // A promise that was given back with the client in it fulfils.
  if (fact.status === 'returned' && point.kind === 'settle' && point.node !== null)
    return cannotSettle(fact, point.node, edge, context) ? [] : [fact];
  if (fact.status === 'returned' || fact.status === 'lost') return [fact];
  // Somebody else answers for the client; which access paths hold it is followed still, and whether it is released here all the same.
  if (fact.status === 'escaped' && point.kind !== 'bind')
    return afterEscape(fact, point, edge, context);
  const { node, target } = point;
  if (point.kind === 'bind') return target === null ? [fact] : bind(fact, target, node, context);
  return node === null ? [fact] : operate(fact, point, node, edge, context);
}

function afterEscape(
  fact: Fact,
  point: Point,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  const { when } = edge;
  const after: Fact = isReleasedHere(fact, point, edge, context) ? giveToPool(fact, false) : fact;
  const isTest = point.kind === 'eval' && point.node !== null && when !== 'next' && !isThrown(when);
  return isTest && point.node !== null ? narrow(after, point.node, when, context) : [after];
}

function operate(
  fact: Fact,
  { kind, target }: Point,
  node: Node,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  switch (kind) {
    case 'eval':
      return evaluate(fact, node, edge, context);
    case 'settle':
      return cannotSettle(fact, node, edge, context) ? [] : settle(fact, node, edge, context);
    case 'callback':
      return node.type === 'CallExpression' && target !== null && isFunction(target)
        ? enterCallback(fact, node, target, context)
        : [fact];
    case 'dispose':
      return [dispose(fact, node, context)];
    case 'invoke':
      return invoke(fact, node, target, edge, context);
    case 'reject':
      return [settlePromise(fact, { promise: node, fulfils: false }, undefined, context)];
    case 'cut':
      return [target !== null && isFunction(target) ? throughCut(fact, target, context) : fact];
    case 'unhandled':
      return endsHere(node, context) === isThrown(edge.when) ? [fact] : [];
    default:
      return [fact];
  }
}

/** What nobody handles ends the chain or callback that it happened in, and not the code around it, whose client is its own. */
function endsHere(node: Node, { acquisition }: CheckoutContext): boolean {
  return contains(node, acquisition.call);
}

function evaluate(fact: Fact, node: Node, edge: Edge, context: CheckoutContext): readonly Fact[] {
  if (node.type === 'AwaitExpression' && cannotSettle(fact, node.argument, edge, context))
    return [];
  const after = operateOn(fact, node, edge, context);
  const { when } = edge;
  if (when === 'next' || isThrown(when)) return after;
  return after.flatMap((each) => narrow(each, node, when, context));
}

function operateOn(fact: Fact, node: Node, edge: Edge, context: CheckoutContext): readonly Fact[] {
  if (node === promiseOf(context.acquisition))
    return [isThrown(edge.when) ? fact : afterUse(acquire(fact, context), node, context)];
  if (node.type === 'AwaitExpression')
    return settle(fact, node.argument, edge, context).map((settled) =>
      afterAwait(settled, node, edge, context),
    );
  if (node.type === 'CallExpression' && !context.graph.inlined.has(node))
    return call(settleBy(fact, node, context), node, edge, context);
  if (node.type === 'ReturnStatement')
    return [noteReturned(afterUse(fact, node, context), node, context)];
  if (isFunction(node))
    return [context.graph.inlined.has(node) ? fact : effectOfClosure(fact, node, node, context)];
  return [afterUse(fact, node, context)];
}

/** `resolve(client)` */
function settleBy(
  fact: Fact,
  { callee, arguments: [argument] }: CallNode,
  context: CheckoutContext,
): Fact {
  const settling = settlingOf(callee, context);
  const given = argument && context.accessPaths.valueOf(argument, fact);
  return settling === undefined ? fact : settlePromise(fact, settling, given, context);
}

function call(fact: Fact, node: CallNode, edge: Edge, context: CheckoutContext): readonly Fact[] {
  const known =
    runRace(fact, node, edge, context) ??
    callKnown(fact, node, edge, context) ??
    callAgain(fact, node, edge, context);
  if (known !== undefined) return known;
  const { callee } = node;
  if (!isThrown(edge.when) && isOwnRelease(callee, fact, context)) {
    // What a method of the program's own object is given is no argument of the release.
    const given = context.acquisition.owner === undefined ? (node.arguments[0] ?? null) : null;
    return [release(fact, node, given, context)];
  }
  if (
    endsPool(callee, context) ||
    (!isThrown(edge.when) && context.accessPaths.valueOf(callee, fact) === 'ending')
  )
    return [end(fact, node, context)];
  const recorded = recordStatement(fact, node, context);
  return [isThrown(edge.when) ? forgetFailed(recorded, node, context) : recorded];
}

/** `connection.release()`, where an acquire wrapper gave an object with its own way to release. */
function isOwnRelease(callee: Node, fact: Fact, { accessPaths }: CheckoutContext): boolean {
  return (
    callee.type === 'MemberExpression' &&
    accessPaths.valueOf(callee, fact) === 'release' &&
    accessPaths.valueOf(callee.object, fact) !== 'client'
  );
}

/** `dataSource.destroy()`: of the very pool, by its name. */
function endsPool(
  callee: Node,
  { acquisition: { driver, poolText }, file }: CheckoutContext,
): boolean {
  return (
    isMember(callee, ...driver.endsAll) && file.text.slice(...callee.object.range) === poolText
  );
}

function afterAwait(
  fact: Fact,
  node: TSESTree.AwaitExpression,
  edge: Edge,
  context: CheckoutContext,
): Fact {
  return isThrown(edge.when) ? fact : afterUse(fact, node, context);
}

function acquire(fact: Fact, { acquisition: { style, driver } }: CheckoutContext): Fact {
  if (style === 'callback') return fact;
  const event =
    style === 'promise'
      ? 'promised'
      : style === 'provider' || driver.gives === 'client without connection'
        ? 'made'
        : 'given';
  const begun = { ...checkoutEvent(fact, event), ...nothingLeft };
  return driver.isTransaction ? transactionEvent(begun, 'begin') : begun;
}

/** `(error, client, done)`: either an error and nothing to release, or a client. Fact: pg-pool `index.js`, `connect`. */
function enterCallback(
  fact: Fact,
  call: CallNode,
  callback: FunctionNode,
  context: CheckoutContext,
): readonly Fact[] {
  const [error, client, done] = paramsOf(callback).map((param) =>
    context.accessPaths.accessPathOf(param.type === 'AssignmentPattern' ? param.left : param),
  );
  const failed = setAccessPath(fact, error, 'some');
  const succeeded = setAccessPath(fact, error, 'null');
  if (call !== context.acquisition.call)
    return [succeeded, afterFailedCallback(fact, failed, call, context)];
  const given = checkoutEvent(fact, 'given');
  if (given.status === 'lost') return [given];
  const held: Fact = {
    ...setAccessPath(setAccessPath(succeeded, client, 'client'), done, 'release'),
    status: given.status,
    ...nothingLeft,
  };
  return [held, setAccessPath(failed, client, 'null')];
}

function afterFailedCallback(
  fact: Fact,
  failed: Fact,
  call: CallNode,
  context: CheckoutContext,
): Fact {
  if (failsWithConnection(call, fact, context)) return { ...failed, followsImplicitThrow: true };
  return fact.status === 'held' ? forgetFailed(failed, call, context) : failed;
}

function setAccessPath(fact: Fact, accessPath: AccessPath | undefined, value: Value): Fact {
  return accessPath === undefined ? fact : withAccessPath(fact, accessPath, value);
}

/** Somebody calls this function with what a promise gave: `.finally(client.release)`, `.then(done)`, `.then(resolve)`. */
function invoke(
  fact: Fact,
  fn: Node,
  promise: Node | null,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  if (context.accessPaths.valueOf(fn, fact) === 'release')
    return [release(fact, fn, null, context)];
  const given = promise === null ? undefined : settledValue(fact, promise, context);
  const settling = settlingOf(fn, context);
  if (settling !== undefined) return [settlePromise(fact, settling, given, context)];
  const closure = context.closureOf(fn);
  const after = closure === null ? fact : effectOfClosure(fact, closure, fn, context);
  if (after.status !== 'held' || (given !== 'client' && given !== 'container')) return [after];
  const known = callHandler(after, fn, given, edge, context);
  if (known === undefined) context.log.onLend(fn);
  return known ?? [lending(after)];
}

/** `await using runner = …` */
function dispose(fact: Fact, declared: Node, context: CheckoutContext): Fact {
  const isOurs =
    context.acquisition.driver.disposal !== undefined &&
    context.accessPaths.valueOf(declared, fact) === 'client';
  return isOurs ? release(fact, declared, null, context) : fact;
}
