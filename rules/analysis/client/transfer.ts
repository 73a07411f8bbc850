import type { TSESTree } from '@typescript-eslint/types';
import { isThrown, type Edge, type FunctionNode, type Node, type Point } from '../../flow/graph.ts';
import { endsByName, takesOverByName } from '../../model/handing-over.ts';
import { methods } from '../../model/drivers.ts';
import { quietObjects } from '../../model/quiet-calls.ts';
import { bind, isKeptOnClient } from './bindings.ts';
import { effectOfClosure, throughCut } from './closures.ts';
import type { CheckoutContext } from './checkout.ts';
import { callKnown, isKnownCall } from './known-calls.ts';
import { trackConnection } from './connection.ts';
import { nothingLeft, withCell, type Fact, type Value } from './facts.ts';
import { isFunction } from '../identity/entities.ts';
import { trackQueries } from './in-flight.ts';
import { isDeferral, isReleasedHere } from './release-here.ts';
import { narrow } from './narrow.ts';
import { forgetFailed, recordStatement } from '../session/session.ts';
import { failsWithConnection, isUnlikelyRejection } from './rejections.ts';
import { cannotSettle, settlePromise, settlingOf } from './settlement.ts';
import { findAncestor, memberName, parentOf, unwrap, variableOf } from '../files/source-file.ts';
import { useOf, type Use } from './uses.ts';

/** The facts behind a point's operation, one for each way it can come out over this edge. */
export function transfer(
  fact: Fact,
  point: Point,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  const facts = follow(fact, point, edge, context).map((each) =>
    trackConnection(trackQueries(each, point, context), point, context),
  );
  return edge.when === 'hardly' || isUnlikelyRejection(fact, point, edge, context)
    ? facts.map((each) => ({ ...each, isUnlikely: true }))
    : facts;
}

function follow(fact: Fact, point: Point, edge: Edge, context: CheckoutContext): readonly Fact[] {
  if (fact.status === 'returned' || fact.status === 'lost') return [fact];
  // Somebody else answers for the client; which cells hold it is followed still, and whether it is released here all the same.
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
  const after: Fact = isReleasedHere(fact, point, context)
    ? { ...fact, status: 'released', inTransaction: false, failedRollback: false, dirty: [] }
    : fact;
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
    case 'invoke':
      return [invoke(fact, node, context)];
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
  return node.range[0] <= acquisition.call.range[0] && acquisition.call.range[1] <= node.range[1];
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
  if (node === context.acquisition.call)
    return [isThrown(edge.when) ? fact : afterUse(acquire(fact, context), node, context)];
  if (node.type === 'AwaitExpression')
    return settle(fact, node.argument, edge, context).map((settled) =>
      afterAwait(settled, node, edge, context),
    );
  if (node.type === 'CallExpression' && !context.graph.inlined.has(node))
    return call(settlePromise(fact, node, context), node, edge, context);
  if (isFunction(node))
    return [context.graph.inlined.has(node) ? fact : effectOfClosure(fact, node, node, context)];
  return [afterUse(fact, node, context)];
}

function call(
  fact: Fact,
  node: TSESTree.CallExpression,
  edge: Edge,
  context: CheckoutContext,
): readonly Fact[] {
  const known = callKnown(fact, node, edge, context);
  if (known !== undefined) return known;
  const { callee } = node;
  // `connection.release()`, where a getter gave an object with its own way to release.
  if (
    !isThrown(edge.when) &&
    callee.type === 'MemberExpression' &&
    context.cells.valueOf(callee, fact) === 'release' &&
    context.cells.valueOf(callee.object, fact) !== 'client'
  ) {
    return [release(fact, node, node.arguments[0] ?? null, context)];
  }
  if (endsPool(callee, context)) return [end(fact, node, context)];
  const recorded = recordStatement(fact, node, context);
  return [isThrown(edge.when) ? forgetFailed(recorded, node, context) : recorded];
}

/** Where a client tells of its transaction, one that could not be ended is still open. */
function stillInTransaction(
  fact: Fact,
  promise: Node,
  { acquisition: { driver }, cells }: CheckoutContext,
): Fact {
  const call = unwrap(promise);
  if (
    driver.tellsTransaction === null ||
    call.type !== 'CallExpression' ||
    call.callee.type !== 'MemberExpression'
  )
    return fact;
  const isStep =
    driver.transactions[memberName(call.callee) ?? ''] !== undefined &&
    cells.valueOf(call.callee.object, fact) === 'client';
  return isStep ? { ...fact, inTransaction: true } : fact;
}

/** `dataSource.destroy()`: of the very pool, by its name. */
function endsPool(
  callee: Node,
  { acquisition: { driver, poolText }, file }: CheckoutContext,
): boolean {
  return (
    callee.type === 'MemberExpression' &&
    driver.endsAll.includes(memberName(callee) ?? '') &&
    file.text.slice(...callee.object.range) === poolText
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
  const begun =
    style === 'promise'
      ? 'pending'
      : driver.gives === 'client without connection'
        ? 'unconnected'
        : 'held';
  return {
    ...fact,
    status: fact.status === 'held' || fact.status === 'pending' ? 'lost' : begun,
    ...nothingLeft,
  };
}

/** The awaited promise fulfils, or the acquire fails and there is nothing to release. */
function settle(fact: Fact, promise: Node, edge: Edge, context: CheckoutContext): readonly Fact[] {
  const value = context.cells.valueOf(promise, fact);
  const rejects = value === undefined ? undefined : settlements[value];
  if (rejects !== undefined)
    return isThrown(edge.when) === rejects ? [settled(fact, promise, context)] : [];
  if (fact.status === 'held' && isThrown(edge.when))
    return [
      opensClient(promise, fact, context)
        ? { ...fact, status: 'none' }
        : stillInTransaction(forgetFailed(fact, promise, context), promise, context),
    ];
  if (fact.status !== 'pending' || value !== 'promise') return [fact];
  return [{ ...fact, status: isThrown(edge.when) ? 'none' : 'held' }];
}

/** Values of calls that were followed into, and whether these reject: a constant is what such a call gives. */
const settlements: Readonly<Partial<Record<Value, boolean>>> = {
  fulfilled: false,
  rejected: true,
  true: false,
  false: false,
  null: false,
};

/** Once awaited, how a call came out need not be kept any longer; what it gave may be tested. */
function settled(fact: Fact, promise: Node, context: CheckoutContext): Fact {
  const value = context.cells.valueOf(promise, fact);
  const cell =
    unwrap(promise).type === 'CallExpression' && (value === 'fulfilled' || value === 'rejected')
      ? context.cells.cellOf(promise)
      : undefined;
  return cell === undefined ? fact : withCell(fact, cell, undefined);
}

/** Values that only a client, its promise, its release function or something around them has. */
export function isOurs(value: Value | undefined): boolean {
  return (
    value === 'client' ||
    value === 'promise' ||
    value === 'release' ||
    value === 'bag' ||
    value === 'parcel'
  );
}

/** `(error, client, done)`: either an error and nothing to release, or a client. Fact: pg-pool `index.js`, `connect`. */
function enterCallback(
  fact: Fact,
  call: TSESTree.CallExpression,
  callback: FunctionNode,
  context: CheckoutContext,
): readonly Fact[] {
  const [error, client, done] = callback.params.map((param) =>
    context.cells.cellOf(param.type === 'AssignmentPattern' ? param.left : param),
  );
  const failed = setCell(fact, error, 'some');
  const succeeded = setCell(fact, error, 'null');
  if (call !== context.acquisition.call)
    return [succeeded, afterFailedCallback(fact, failed, call, context)];
  if (fact.status === 'held') return [{ ...fact, status: 'lost' }];
  const held: Fact = {
    ...setCell(setCell(succeeded, client, 'client'), done, 'release'),
    status: 'held',
    ...nothingLeft,
  };
  return [held, setCell(failed, client, 'null')];
}

function afterFailedCallback(
  fact: Fact,
  failed: Fact,
  call: TSESTree.CallExpression,
  context: CheckoutContext,
): Fact {
  if (failsWithConnection(call, fact, context)) return { ...failed, isUnlikely: true };
  return fact.status === 'held' ? forgetFailed(failed, call, context) : failed;
}

function setCell(fact: Fact, cell: string | undefined, value: Value): Fact {
  return cell === undefined ? fact : withCell(fact, cell, value);
}

/** Somebody calls this function: `.finally(client.release)`, `.then(done)`. */
function invoke(fact: Fact, fn: Node, context: CheckoutContext): Fact {
  if (context.cells.valueOf(fn, fact) === 'release') return release(fact, fn, null, context);
  const closure = context.closureOf(fn);
  return closure === null ? fact : effectOfClosure(fact, closure, fn, context);
}

/** What becomes of the client where a value of ours is used. */
function afterUse(fact: Fact, node: Node, context: CheckoutContext): Fact {
  if (fact.status === 'none' || fact.status === 'released' || context.graph.inlined.has(node))
    return fact;
  const value = context.cells.valueOf(node, fact);
  const closure = value === undefined ? context.closureOf(node) : null;
  if (closure !== null) return effectOfClosure(fact, closure, node, context);
  return isOurs(value)
    ? applyUse(connect(fact, value, node, context), value ?? 'some', node, context)
    : fact;
}

/** The first use of a client takes its connection; a look at it and its release do not. */
function connect(
  fact: Fact,
  value: Value | undefined,
  node: Node,
  { acquisition: { driver } }: CheckoutContext,
): Fact {
  if (fact.status !== 'unconnected' || value !== 'client') return fact;
  const use = useOf(node);
  // `dataSource.createQueryRunner().manager`: whoever gets the manager has the client.
  const leadsToUse = use.kind === 'receiver' && driver.usedBy.includes(use.member ?? '');
  if (leadsToUse && use.call === null && unwrap(node).type === 'CallExpression')
    return escape(fact);
  return leadsToUse || takesConnection(use) ? { ...fact, status: 'held' } : fact;
}

function takesConnection(use: Use): boolean {
  if (use.kind === 'receiver') return use.call !== null && use.member !== methods.release;
  return use.kind === 'argument' || use.kind === 'returned' || use.kind === 'stored';
}

/** `runner.connect()`: where it fails, there is nothing to release. */
function opensClient(promise: Node, fact: Fact, { acquisition, cells }: CheckoutContext): boolean {
  const call = unwrap(promise);
  return (
    call.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    acquisition.driver.opens !== null &&
    memberName(call.callee) === acquisition.driver.opens &&
    cells.valueOf(call.callee.object, fact) === 'client'
  );
}

function applyUse(fact: Fact, value: Value, node: Node, context: CheckoutContext): Fact {
  const use = useOf(node, value === 'promise');
  switch (use.kind) {
    case 'receiver':
      return callMethod(fact, value, use, context);
    case 'callee':
      return value === 'release'
        ? release(fact, use.call, use.call.arguments[0] ?? null, context)
        : fact;
    case 'argument':
      return give(fact, value, use, context);
    case 'returned':
      return giveBack(fact, value, use.inBag, node, context);
    case 'stored':
      return isKeptOnClient(use.target, value, fact, context) ? fact : escape(fact);
    case 'bound':
      return use.inBag ? lend(fact) : fact;
    case 'neutral':
      return fact;
  }
}

/** `client.release()`, `client.done()` where that is the release, `done.call(client)` */
function callMethod(
  fact: Fact,
  value: Value,
  { call, member }: Use & { kind: 'receiver' },
  context: CheckoutContext,
): Fact {
  if (call === null) return fact;
  if (value === 'bag') return endsByName(member ?? '') ? escape(fact) : fact;
  if (value === 'client') return callOnClient(fact, call, member, context);
  return value === 'release' && (member === 'call' || member === 'apply')
    ? release(fact, call, call.arguments[1] ?? null, context)
    : fact;
}

function callOnClient(
  fact: Fact,
  call: TSESTree.CallExpression,
  member: string | undefined,
  context: CheckoutContext,
): Fact {
  if (context.cells.valueOf(call.callee, fact) === 'release')
    return release(fact, call, call.arguments[0] ?? null, context);
  return member !== undefined && context.acquisition.driver.ends.includes(member)
    ? end(fact, call, context)
    : fact;
}

/** The result of a function that stands in the graph is followed where the function was called; any other is the caller's. */
function giveBack(
  fact: Fact,
  value: Value,
  inBag: boolean,
  node: Node,
  { graph }: CheckoutContext,
): Fact {
  if (value === 'release' || value === 'bag' || inBag) return escape(fact);
  const fn = findAncestor(node, isFunction);
  return fn !== undefined && graph.bodies.has(fn) ? fact : { ...escape(fact), status: 'returned' };
}

/** Given to a function that is not part of the graph: lent, unless it is likely to be its new owner. */
function give(
  fact: Fact,
  value: Value,
  use: Use & { kind: 'argument' },
  context: CheckoutContext,
): Fact {
  const { call } = use;
  if (
    context.graph.inlined.has(call) ||
    isQuietReceiver(call) ||
    (call.type === 'CallExpression' && isKnownCall(fact, call, context))
  )
    return fact;
  if (value === 'release')
    return isDeferral(call) ? release(fact, call, null, context) : escape(fact);
  if (value === 'promise') return escape(fact);
  return isResolved(value, use, context) ? fact : giveClient(fact, value, call, context);
}

/** `resolve(client)`: the promise hands it on. */
function isResolved(
  value: Value,
  { call, inBag }: Use & { kind: 'argument' },
  context: CheckoutContext,
): boolean {
  return value === 'client' && !inBag && settlingOf(call, context)?.fulfils === true;
}

function giveClient(
  fact: Fact,
  value: Value,
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  context: CheckoutContext,
): Fact {
  const { takesBack } = context.acquisition.driver;
  // `pool.releaseConnection(connection)`
  if (
    takesBack !== null &&
    value === 'client' &&
    call.callee.type === 'MemberExpression' &&
    memberName(call.callee) === takesBack
  )
    return release(fact, call, null, context);
  if (takesOver(call, context)) return escape(fact);
  context.log.onLend(call);
  return lend(fact);
}

function isQuietReceiver({ callee }: TSESTree.CallExpression | TSESTree.NewExpression): boolean {
  return (
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    quietObjects.has(callee.object.name) &&
    callee.object.name !== 'Promise'
  );
}

const waiters: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'ReturnStatement',
  'ArrowFunctionExpression',
]);

/** Judged by its name, or because it is a parameter that nobody waits for: `callback(null, client)`. */
function takesOver(
  call: TSESTree.CallExpression | TSESTree.NewExpression,
  { file }: CheckoutContext,
): boolean {
  // What is made with the client carries it: where that goes, the client goes.
  if (call.type === 'NewExpression') return false;
  const { callee } = call;
  const name = calleeName(callee);
  if (name === undefined || takesOverByName(name)) return true;
  const isParameter =
    callee.type === 'Identifier' && variableOf(file, callee)?.defs[0]?.type === 'Parameter';
  return isParameter && !waiters.has(parentOf(call)?.type ?? '');
}

function calleeName(callee: Node): string | undefined {
  return callee.type === 'MemberExpression'
    ? memberName(callee)
    : callee.type === 'Identifier'
      ? callee.name
      : undefined;
}

export function escape(fact: Fact): Fact {
  return isOut(fact) ? { ...fact, status: 'escaped' } : fact;
}

function lend(fact: Fact): Fact {
  return fact.wasLent ? fact : { ...fact, wasLent: true };
}

/** This function answers for it. */
function isOut({ status }: Fact): boolean {
  return status === 'held' || status === 'pending' || status === 'unconnected';
}

/** `connection.destroy()`: a release behind it does nothing, and whatever is asked of the client fails. */
function end(fact: Fact, site: Node, context: CheckoutContext): Fact {
  if (!isOut(fact)) return fact;
  context.log.onRelease(fact, site, false);
  return { ...escape(fact), ...nothingLeft, inFlight: null };
}

/** A truthy argument destroys the connection and all its state with it (pg-pool `index.js`, `_release`). */
function release(fact: Fact, site: Node, argument: Node | null, context: CheckoutContext): Fact {
  if (!isOut(fact)) return fact;
  const isKept = context.keepsConnection(argument, fact);
  context.log.onRelease(fact, site, isKept);
  return {
    ...fact,
    status: 'released',
    ...nothingLeft,
    inTransaction: isKept && fact.inTransaction,
    failedRollback: isKept && fact.failedRollback,
    inFlight: null,
  };
}
