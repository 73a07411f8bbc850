import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { endingMethods, keepingMethods } from '../model/handing-over.ts';
import { methods } from '../model/drivers.ts';
import { methodsBehind } from '../syntax/call-chain.ts';
import { isChain } from '../syntax/chains.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { joinsQuery } from './joined-queries.ts';
import { isQuietReceiver } from './quiet-objects.ts';
import { asksOwner, isAskedAtOnce } from './asked-owner.ts';
import { opensList } from './containers.ts';
import { isKeptOnClient } from './bindings.ts';
import { clientProxied } from './access-paths.ts';
import { effectOfClosure, effectOfObject } from './closures.ts';
import { localObject } from './local-objects.ts';
import type { CheckoutContext } from './checkout.ts';
import { isKnownCall } from './known-calls.ts';
import { checkoutEvent, escape, isOurs, lending, type Fact, type Value } from './facts.ts';
import { releasesInMethod } from './releasing.ts';
import { isDeferral } from './release-here.ts';
import { isOwningListener, takesListenerOff } from './owning-listeners.ts';
import { settlingOf } from './settlement.ts';
import {
  definitionOf,
  variableOf,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
} from '../syntax/source-file.ts';
import { useOf, type Use } from '../syntax/uses.ts';
import { end, release } from './releases.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/** What becomes of the client where a value of ours is used. */
export function afterUse(fact: Fact, node: Node, context: CheckoutContext): Fact {
  // A chain is a value of the code around it as well; handlers and helpers belong to the graph.
  const isInlined = context.graph.inlined.has(node) && !isChain(node);
  if (fact.status === 'none' || fact.status === 'released' || isInlined) return fact;
  const value = context.accessPaths.valueOf(node, fact);
  const closure = value === undefined ? context.closureOf(node) : null;
  if (closure !== null) return effectOfClosure(fact, closure, node, context);
  const object = isOurs(value) ? undefined : localObject(node, context.file);
  if (object !== undefined) return effectOfObject(fact, object, node, context);
  return isOurs(value)
    ? applyUse(connect(fact, value, node, context), value ?? 'some', node, context)
    : fact;
}

/** The first use of a client takes its connection; a look at it and its release do not. */
function connect(fact: Fact, value: Value | undefined, node: Node, context: CheckoutContext): Fact {
  if (fact.status !== 'unconnected' || value !== 'client') return fact;
  const { driver } = context.acquisition;
  const use = useOf(node);
  if (isFollowed(use, fact, context)) return fact;
  // `dataSource.createQueryRunner().manager`: whoever gets the manager has the client.
  const leadsToUse = use.kind === 'receiver' && driver.usedBy.includes(use.member ?? '');
  if (leadsToUse && use.call === null && unwrap(node).type === 'CallExpression')
    return escape(fact);
  return leadsToUse || takesConnection(use) ? checkoutEvent(fact, 'connected') : fact;
}

/** Whether a function that is given the client uses it is known where it is followed into. */
function isFollowed(use: Use, fact: Fact, context: CheckoutContext): boolean {
  return (
    use.kind === 'argument' &&
    use.call.type === 'CallExpression' &&
    (context.graph.inlined.has(use.call) || isKnownCall(fact, use.call, context))
  );
}

function takesConnection(use: Use): boolean {
  if (use.kind === 'receiver') return use.call !== null && use.member !== methods.release;
  return use.kind === 'argument' || use.kind === 'returned' || use.kind === 'stored';
}

/** A query that joins the client's own, a method that is bound to the client, a listener of its loss, or the race that gives the client. */
function staysOurs(
  node: Node,
  use: Use & { kind: 'argument' },
  fact: Fact,
  context: CheckoutContext,
): boolean {
  const { driver, raced } = context.acquisition;
  return (
    joinsQuery(node, use, driver) ||
    isBoundToItself(use.call, fact, context) ||
    isOwningListener(use.call, fact, context) ||
    takesListenerOff(use.call, fact, context) ||
    use.call === raced?.call
  );
}

/** `client.query.bind(client)` lends nothing: what it gives only sends statements. */
function isBoundToItself(
  { callee }: CallNode | TSESTree.NewExpression,
  fact: Fact,
  { accessPaths }: CheckoutContext,
): boolean {
  if (callee.type !== 'MemberExpression' || memberName(callee) !== 'bind') return false;
  const method = unwrap(callee.object);
  return (
    method.type === 'MemberExpression' &&
    accessPaths.valueOf(method.object, fact) === 'client' &&
    !isOurs(accessPaths.valueOf(method, fact))
  );
}

function applyUse(fact: Fact, value: Value, node: Node, context: CheckoutContext): Fact {
  const use = useOf(node, value === 'promise');
  if (value === 'container' && opensList(node, use, context)) return escape(fact);
  switch (use.kind) {
    case 'receiver':
      return value === 'container' && asksOwner(node, use, context)
        ? escape(fact)
        : callMethod(fact, value, use, context);
    case 'callee':
      return value === 'release'
        ? release(fact, use.call, use.call.arguments[0] ?? null, context)
        : fact;
    case 'argument':
      return staysOurs(node, use, fact, context) ? fact : give(fact, value, use, context);
    case 'returned':
      return giveBack(fact, value, use.inCollection, node, context);
    case 'stored':
      return isKeptOnClient(use.target, value, fact, context) ? fact : escape(fact);
    case 'bound':
      return use.inCollection ? lending(fact) : fact;
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
  if (value === 'collection')
    return mayRelease(call, context) || mayEnd(call, member, context) ? escape(fact) : fact;
  if (value === 'client') return callOnClient(fact, call, member, context);
  return value === 'release' && (member === 'call' || member === 'apply')
    ? release(fact, call, call.arguments[1] ?? null, context)
    : fact;
}

/** A method of unknown code gives the client back, or tells whether that was done. */
function mayEnd(call: CallNode, member = '', context: CheckoutContext): boolean {
  return (
    context.functionAt(call.callee) === undefined &&
    (endingMethods.has(member) || isAskedAtOnce(call))
  );
}

/** A function that releases something may release what an object carries that it is called on, or that it is given. */
function mayRelease(call: CallNode | TSESTree.NewExpression, context: CheckoutContext): boolean {
  const callee = call.type === 'CallExpression' ? context.functionAt(call.callee) : undefined;
  const { releases, isTransaction } = context.acquisition.driver;
  return (
    callee !== undefined &&
    releasesInMethod(callee.node, callee.file, isTransaction ? releases : [])
  );
}

function callOnClient(
  fact: Fact,
  call: CallNode,
  member: string | undefined,
  context: CheckoutContext,
): Fact {
  if (context.accessPaths.valueOf(call.callee, fact) === 'release') {
    if (isUnsent(call, context)) {
      context.log.onUnsentRelease(call);
      return fact;
    }
    return release(fact, call, call.arguments[0] ?? null, context);
  }
  return member !== undefined && context.acquisition.driver.ends.includes(member)
    ? end(fact, call, context)
    : fact;
}

/** `await trx.commit()`, where only `.execute()` behind it sends that. */
function isUnsent(call: CallNode, { acquisition: { driver } }: CheckoutContext): boolean {
  const up = parentOf(call);
  return (
    driver.releasedBy !== undefined &&
    isDropped(up?.type === 'AwaitExpression' ? up : call) &&
    !methodsBehind(call).includes(driver.releasedBy)
  );
}

/** The result of a function that stands in the graph is followed where the function was called; any other is the caller's. */
function giveBack(
  fact: Fact,
  value: Value,
  inCollection: boolean,
  node: Node,
  { graph }: CheckoutContext,
): Fact {
  const isOther = value === 'provider' || value === 'release' || value === 'ending';
  if (isOther || value === 'collection' || inCollection) return escape(fact);
  const fn = findAncestor(node, isFunction);
  return fn !== undefined && graph.bodies.has(fn) ? fact : checkoutEvent(fact, 'returned');
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
    isQuiet(call, context) ||
    (call.type === 'CallExpression' && isKnownCall(fact, call, context))
  )
    return fact;
  if (value === 'release')
    return isDeferral(call) ? release(fact, call, null, context) : escape(fact);
  if (value === 'promise' || value === 'ending') return escape(fact);
  const stays = isResolved(value, use, context) || isKeptInside(value, use, context, fact);
  return stays ? fact : giveClient(fact, value, call, context);
}

/** `new Session(client)`, of a class that lets nobody else have it, or a proxy: what becomes of the object becomes of the client. */
function isKeptInside(
  value: Value,
  { call, inCollection }: Use & { kind: 'argument' },
  { acquisition, accessPaths, file, keepsToItself }: CheckoutContext,
  fact: Fact,
): boolean {
  if (value !== 'client' || inCollection || call.type !== 'NewExpression') return false;
  const index = call.arguments.findIndex((each) => accessPaths.valueOf(each, fact) === 'client');
  return (
    keepsToItself(call, index) ||
    clientProxied(call, acquisition.driver, file) === call.arguments[index]
  );
}

/** `resolve(client)`: the promise hands it on. */
function isResolved(
  value: Value,
  { call, inCollection }: Use & { kind: 'argument' },
  context: CheckoutContext,
): boolean {
  return value === 'client' && !inCollection && settlingOf(call.callee, context)?.fulfils === true;
}

function giveClient(
  fact: Fact,
  value: Value,
  call: CallNode | TSESTree.NewExpression,
  context: CheckoutContext,
): Fact {
  const { takesBack } = context.acquisition.driver;
  // `pool.releaseConnection(connection)`
  if (takesBack !== null && value === 'client' && memberName(call.callee) === takesBack)
    return release(fact, call, null, context);
  if (takesOver(call, context) || (value === 'collection' && mayRelease(call, context)))
    return escape(fact);
  context.log.onLend(call);
  return lending(fact);
}

/** What `Promise.resolve(client)` and similar ones are given comes out again. */
function isQuiet(
  { callee }: CallNode | TSESTree.NewExpression,
  { file }: CheckoutContext,
): boolean {
  return (
    callee.type === 'MemberExpression' &&
    isQuietReceiver(callee, file) &&
    !isPromiseClass(callee.object)
  );
}

const waiters: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'ReturnStatement',
  'ArrowFunctionExpression',
]);

/**
 * Whether the client may have a new owner: a collection or pool of which nothing is known, a function whose code is not here, or a
 * parameter that nobody waits for: `callback(null, client)`. What is a package's or everybody's only borrows.
 */
function takesOver(call: CallNode | TSESTree.NewExpression, context: CheckoutContext): boolean {
  // What is made with the client carries it: where that goes, the client goes.
  if (call.type === 'NewExpression') return false;
  const { callee } = call;
  if (callee.type === 'MemberExpression')
    return keepingMethods.has(memberName(callee) ?? '') && context.functionAt(callee) === undefined;
  return context.functionAt(callee) === undefined && mayKeep(call, context);
}

function mayKeep(call: CallNode, { file, isMissing }: CheckoutContext): boolean {
  const definition = definitionOf(variableOf(file, call.callee));
  switch (definition?.type) {
    case undefined:
      return false;
    case 'ImportBinding':
      return isMissing(definition.parent as Node);
    case 'Parameter':
      return !waiters.has(parentOf(call)?.type ?? '');
    default:
      return (definition?.node as Node).type !== 'TSDeclareFunction';
  }
}
