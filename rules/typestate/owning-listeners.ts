import type { TSESTree } from '@typescript-eslint/types';
import { listenMethods } from '../model/emitters.ts';
import { lossEvent, removingMethods } from '../model/listeners.ts';
import { constantText } from '../syntax/constants.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../syntax/node.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import {
  contains,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { methodOfClient, type CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';

/**
 * `client.on('error', (error) => client.release(error))`: the listener releases the client once its connection is lost, and on no other
 * way. Whoever registers it answers for the client as before.
 */
export function isOwningListener(
  call: CallNode | TSESTree.NewExpression,
  fact: Fact,
  context: CheckoutContext,
): call is CallNode {
  const { acquisition, accessPaths } = context;
  const [event, listener] = call.arguments;
  if (
    acquisition.style === 'lent' ||
    acquisition.driver.database !== 'postgresql' ||
    event === undefined ||
    listener === undefined ||
    constantText(event) !== lossEvent ||
    !isOnClient(call, listenMethods, fact, context)
  )
    return false;
  if (accessPaths.valueOf(listener, fact) === 'release') return !setsRelease(context);
  const plain = unwrap(listener);
  const fn = isFunction(plain) ? plain : context.closureOf(plain);
  return (
    fn !== null &&
    releasesAlways(fn, fact, context) &&
    !setsOutside(fn, context) &&
    !setsRelease(context)
  );
}

/** `client.off('error', onError)` gives the listener, and what it captured, to nobody. */
export function takesListenerOff(
  call: CallNode | TSESTree.NewExpression,
  fact: Fact,
  context: CheckoutContext,
): boolean {
  return isOnClient(call, removingMethods, fact, context);
}

function isOnClient(
  call: Node,
  names: ReadonlySet<string>,
  fact: Fact,
  context: CheckoutContext,
): boolean {
  return names.has(methodOfClient(call, fact, context) ?? '');
}

/** The release is a statement of its own, and nothing before it leaves the function. */
function releasesAlways(
  { body }: FunctionNode,
  fact: Fact,
  { accessPaths }: CheckoutContext,
): boolean {
  const isRelease = (node: Node): boolean => {
    const plain = unwrap(node);
    return plain.type === 'CallExpression' && accessPaths.valueOf(plain.callee, fact) === 'release';
  };
  if (body.type !== 'BlockStatement') return isRelease(body);
  for (const statement of body.body) {
    if (statement.type === 'ReturnStatement')
      return statement.argument !== null && isRelease(statement.argument);
    if (statement.type !== 'ExpressionStatement') return false;
    if (isRelease(statement.expression)) return true;
  }
  return false;
}

/** What the listener notes, itself or in functions of the file, may tell the code around it that the client is gone. */
function setsOutside(listener: FunctionNode, context: CheckoutContext): boolean {
  const { file } = context;
  // The set grows while it is read: it is the worklist.
  const functions = new Set([listener]);
  let sets = false;
  for (const fn of functions)
    walk(file, fn.body, (node) => {
      const target = targetOf(node);
      sets ||= target !== undefined && !isOwn(target, fn, file);
      const called = node.type === 'CallExpression' ? context.functionAt(node.callee) : undefined;
      if (called?.file === file) functions.add(called.node);
      return !sets;
    });
  return sets;
}

function targetOf(node: Node): Node | undefined {
  if (node.type === 'AssignmentExpression') return unwrap(node.left);
  return node.type === 'UpdateExpression' ? unwrap(node.argument) : undefined;
}

function isOwn(target: Node, fn: FunctionNode, file: SourceFile): boolean {
  const declared = variableOf(file, target)?.identifiers[0] as Node | undefined;
  return declared !== undefined && contains(fn, declared);
}

/** `client.release = …`: what a second release does then is for the program to say. */
function setsRelease({ file, graph, acquisition: { driver } }: CheckoutContext): boolean {
  return someIn(file, graph.root, (node) => {
    const target = targetOf(node);
    return driver.releases.includes(memberName(target) ?? '');
  });
}
