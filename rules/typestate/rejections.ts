import { transactionStep } from '../model/protocols.ts';
import { type Edge, type Point, isThrown } from '../flow/graph.ts';
import { type Node, type CallNode, type FunctionNode, isFunction } from '../syntax/node.ts';
import { methods, queryNames } from '../model/drivers.ts';
import { methodOfClient, type CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { memberName, unwrap, contains, findAncestor } from '../syntax/source-file.ts';
import type { TSESTree } from '@typescript-eslint/types';
import { someIn } from '../syntax/preorder.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import type { KnownFunction } from './outcome.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/**
 * After a release, only what plainly may reject counts: the graph lets every value of a `then` handler reject, and every awaited
 * helper once more behind its own exceptions. There a helper that throws by itself counts as well; elsewhere a synchronous call
 * hardly ever fails. A helper that released the client and failed has failed before the release.
 */
export function isImplicitThrow(
  fact: Fact,
  { kind, node }: Point,
  { when }: Edge,
  context: CheckoutContext,
): boolean {
  if (node === null || !isThrown(when)) return false;
  if (when === 'implicit-throw') return fact.status !== 'released' || !throwsPlainly(node, context);
  return isImplicitThrowAt(node, kind, fact, context);
}

function isImplicitThrowAt(
  node: Node,
  kind: Point['kind'],
  fact: Fact,
  context: CheckoutContext,
): boolean {
  if (kind === 'invoke') return context.accessPaths.valueOf(node, fact) === 'release';
  const awaited = node.type === 'AwaitExpression' ? node.argument : undefined;
  if (fact.status === 'held' && !fact.isEnded)
    return failsWithConnection(unwrap(awaited ?? node), fact, context);
  if (kind === 'settle') return fact.status === 'released' && !rejectsPlainly(node, context);
  return kind === 'eval' && awaited !== undefined && isImplicitRejection(awaited, fact, context);
}

function isImplicitRejection(awaited: Node, fact: Fact, context: CheckoutContext): boolean {
  if (fact.isEnded) return isEndOf(awaited, fact, context);
  return fact.status === 'released' && concernsClient(awaited, fact, context);
}

/** Nothing but a broken connection makes these fail, and where that leaves its pool by itself nothing is lost. A COMMIT may fail for what it does. */
export function failsWithConnection(call: Node, fact: Fact, context: CheckoutContext): boolean {
  const { driver } = context.acquisition;
  if (!driver.dropsBroken) return false;
  const step = transactionStep(driver, methodOfClient(call, fact, context));
  return step !== undefined && step !== 'commit';
}

/** `await client.end()` */
function isEndOf(awaited: Node, fact: Fact, context: CheckoutContext): boolean {
  return methodOfClient(awaited, fact, context) === methods.end;
}

function concernsClient(
  awaited: Node,
  fact: Fact,
  { graph, accessPaths }: CheckoutContext,
): boolean {
  const call = unwrap(awaited);
  if (accessPaths.valueOf(call, fact) === 'rejected') return false;
  if (call.type !== 'CallExpression') return false;
  return (
    graph.inlined.has(call) ||
    isClosing(call) ||
    call.arguments.some((argument) => accessPaths.valueOf(argument, fact) === 'client')
  );
}

/** `await pool.end()`: what closes things hardly ever fails. */
function isClosing({ callee }: CallNode): boolean {
  return (
    callee.type === 'MemberExpression' &&
    (memberName(callee) === methods.end || memberName(callee) === 'close')
  );
}

/** Whether a call is of a function of the program that throws by a `throw` of its own, whatever constant it is given. */
function throwsPlainly(node: Node, context: CheckoutContext): boolean {
  const callee = calleeAt(node, context);
  return (
    callee !== undefined &&
    !callee.node.async &&
    node.type === 'CallExpression' &&
    !node.arguments.some(({ type }) => type === 'Literal') &&
    fails(callee, ({ type }) => type === 'ThrowStatement')
  );
}

/** Whether a value is a promise that plainly may reject: of a query or a request, or of a function of the program that throws, or waits for something, where no `catch` of its own hears it. */
function rejectsPlainly(node: Node, context: CheckoutContext): boolean {
  const value = unwrap(node);
  if (isPromise(value)) return true;
  const callee = calleeAt(value, context);
  if (callee === undefined) return false;
  return callee.node.async
    ? fails(callee, ({ type }) => type === 'ThrowStatement' || type === 'AwaitExpression')
    : returnedValues(callee.file, callee.node).some((each) => isPromise(unwrap(each)));
}

function calleeAt(node: Node, context: CheckoutContext): KnownFunction | undefined {
  const callee =
    node.type === 'CallExpression' && !context.graph.inlined.has(node)
      ? context.functionAt(node.callee)
      : undefined;
  return callee?.node.generator === true ? undefined : callee;
}

function isPromise(value: Node): boolean {
  if (value.type === 'NewExpression') return isPromiseClass(value.callee);
  if (value.type !== 'CallExpression') return false;
  const { callee } = value;
  if (callee.type === 'Identifier') return callee.name === 'fetch';
  return (
    callee.type === 'MemberExpression' &&
    (queryNames.has(memberName(callee) ?? '') || isPromiseClass(callee.object))
  );
}

function fails({ node: fn, file }: KnownFunction, isFailure: (node: Node) => boolean): boolean {
  return someIn(file, fn.body, (node) => isFailure(node) && !isCaught(node, fn), isFunction);
}

function isCaught(node: Node, fn: FunctionNode): boolean {
  const enclosing = findAncestor(
    node,
    (each): each is TSESTree.TryStatement =>
      each.type === 'TryStatement' && each.handler !== null && contains(each.block, node),
  );
  return enclosing !== undefined && contains(fn, enclosing);
}
