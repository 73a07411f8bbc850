import type { TSESTree } from '@typescript-eslint/types';
import { queryNames } from '../model/drivers.ts';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { someIn } from '../syntax/preorder.ts';
import { returnedValues } from '../syntax/returned-values.ts';
import { contains, findAncestor, memberName, unwrap } from '../syntax/source-file.ts';
import type { CheckoutContext } from './checkout.ts';
import type { KnownFunction } from './outcome.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/** Whether a call is of a function of the program that throws by a `throw` of its own, whatever constant it is given. */
export function throwsPlainly(node: Node, context: CheckoutContext): boolean {
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
export function rejectsPlainly(node: Node, context: CheckoutContext): boolean {
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
