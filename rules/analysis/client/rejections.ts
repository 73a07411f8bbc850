import type { TSESTree } from '@typescript-eslint/types';
import type { Edge, Node, Point } from '../../flow/graph.ts';
import { isThrown } from '../../flow/graph.ts';
import { methods } from '../../model/drivers.ts';
import type { CheckoutContext } from './checkout.ts';
import type { Fact } from './facts.ts';
import { memberName, unwrap } from '../files/source-file.ts';

/**
 * Behind a release, only what plainly may reject counts: the graph lets every value of a `then` handler reject, and every awaited
 * helper once more behind its own exceptions. A helper that released the client and failed has failed before the release.
 */
export function isUnlikelyRejection(fact: Fact, { kind, node }: Point, { when }: Edge, context: CheckoutContext): boolean {
  if (node === null || !isThrown(when)) return false;
  if (kind === 'invoke') return context.cells.valueOf(node, fact) === 'release';
  if (fact.isEnded) return kind === 'eval' && node.type === 'AwaitExpression' && isEndOf(node.argument, fact, context);
  if (fact.status !== 'released') return false;
  if (kind === 'settle') return !isPromise(node);
  return kind === 'eval' && node.type === 'AwaitExpression' && concernsClient(node.argument, fact, context);
}

/** `await client.end()` */
function isEndOf(awaited: Node, fact: Fact, { cells }: CheckoutContext): boolean {
  const call = unwrap(awaited);
  return call.type === 'CallExpression' && call.callee.type === 'MemberExpression' && memberName(call.callee) === methods.end && cells.valueOf(call.callee.object, fact) === 'client';
}

function isPromise(node: Node): boolean {
  const value = unwrap(node);
  if (value.type === 'NewExpression') return value.callee.type === 'Identifier' && value.callee.name === 'Promise';
  if (value.type !== 'CallExpression') return false;
  const { callee } = value;
  if (callee.type === 'Identifier') return callee.name === 'fetch';
  return callee.type === 'MemberExpression' && (memberName(callee) === methods.query || (callee.object.type === 'Identifier' && callee.object.name === 'Promise'));
}

function concernsClient(awaited: Node, fact: Fact, { graph, cells }: CheckoutContext): boolean {
  const call = unwrap(awaited);
  if (cells.valueOf(call, fact) === 'rejected') return false;
  if (call.type !== 'CallExpression') return false;
  return graph.inlined.has(call) || isClosing(call) || call.arguments.some((argument) => cells.valueOf(argument, fact) === 'client');
}

/** `await pool.end()`: what closes things hardly ever fails. */
function isClosing({ callee }: TSESTree.CallExpression): boolean {
  return callee.type === 'MemberExpression' && (memberName(callee) === methods.end || memberName(callee) === 'close');
}
