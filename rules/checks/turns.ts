import type { TSESTree } from '@typescript-eslint/types';
import { turnMethods } from '../model/turns.ts';
import { originalName } from '../syntax/exports.ts';
import { isFunction, type FunctionNode, type Node } from '../syntax/node.ts';
import { childrenOf, walk } from '../syntax/preorder.ts';
import {
  contains,
  definitionOf,
  findAncestor,
  memberName,
  parentOf,
  referencesTo,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import type { Place } from './started.ts';

/** Whether a statement waits for what somebody else settles, so that what follows it runs one after the other: `await mutex.acquire()`, `await previous`. */
export function waitsForTurn(statement: Node, { file, resolver }: Place): boolean {
  return awaitedIn(statement, file).some((each) => isTurn(each, file, resolver));
}

/** What a stretch of code itself waits for. */
function awaitedIn(node: Node, file: SourceFile): readonly Node[] {
  if (isFunction(node)) return [];
  const inside = childrenOf(file, node).flatMap((child) => awaitedIn(child, file));
  return node.type === 'AwaitExpression' ? [unwrap(node.argument), ...inside] : inside;
}

function isTurn(promise: Node, file: SourceFile, resolver: Place['resolver']): boolean {
  switch (promise.type) {
    case 'MemberExpression':
      return true;
    case 'Identifier':
      return isOfOthers(promise, file);
    case 'CallExpression':
      return isTurnCall(promise, file, resolver);
    default:
      return false;
  }
}

/** A promise that the function around did not make itself. */
function isOfOthers(promise: TSESTree.Identifier, file: SourceFile): boolean {
  const definition = definitionOf(variableOf(file, promise));
  const made = definition?.node as Node | undefined;
  if (made === undefined) return false;
  if (made.type !== 'VariableDeclarator') return definition?.type === 'Parameter';
  const isMadeHere =
    findAncestor(made, isFunction) === findAncestor(promise, isFunction) &&
    made.init?.type !== 'Identifier' &&
    made.init?.type !== 'MemberExpression';
  return !isMadeHere;
}

function isTurnCall(
  { callee }: TSESTree.CallExpression,
  file: SourceFile,
  resolver: Place['resolver'],
): boolean {
  const value = resolver.abstractValueOf(callee, file);
  if (value?.kind === 'function') return givesTurn(value.node, value.file);
  const name = callee.type === 'MemberExpression' ? memberName(callee) : originalName(callee, file);
  return turnMethods.has(name ?? '');
}

/** `new Promise((resolve) => waiting.push(resolve))`: whoever comes later settles it. */
function givesTurn(fn: FunctionNode, file: SourceFile): boolean {
  let gives = false;
  walk(file, fn.body, (node) => {
    gives ||= node.type === 'NewExpression' && isSettledByOthers(node, file);
    return !gives;
  });
  return gives;
}

function isSettledByOthers(
  { callee, arguments: [executor] }: TSESTree.NewExpression,
  file: SourceFile,
): boolean {
  if (callee.type !== 'Identifier' || callee.name !== 'Promise') return false;
  const settle = executor !== undefined && isFunction(executor) ? executor.params[0] : undefined;
  if (settle === undefined) return false;
  return referencesTo(settle, file).some((reference) => {
    const up = parentOf(reference);
    return (
      (up?.type === 'AssignmentExpression' && up.right === reference) ||
      (up?.type === 'CallExpression' &&
        up.callee.type === 'MemberExpression' &&
        !contains(up.callee, reference))
    );
  });
}
