import type { TSESTree } from '@typescript-eslint/types';
import { slowWorkIn } from '../summaries/slow-work.ts';
import { isFunction, type FunctionNode, type Node, type CallNode } from '../syntax/node.ts';
import { childrenOf, someIn } from '../syntax/preorder.ts';
import {
  contains,
  definitionOf,
  findAncestor,
  parentOf,
  referencesTo,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';
import { useOf } from '../syntax/uses.ts';
import type { Place } from './started.ts';

/** Whether a statement waits for what somebody else settles, so that what follows it runs one after the other: `await mutex.acquire()`, `await previous`. */
export function waitsForTurn(statement: Node, { file, resolver }: Place): boolean {
  const mayBeUnknown = givesNoData(statement, file);
  return awaitedIn(statement, file).some((each) =>
    each.type === 'CallExpression'
      ? isTurnCall(each, mayBeUnknown, file, resolver)
      : isTurn(each, file),
  );
}

/** What a stretch of code itself waits for. */
function awaitedIn(node: Node, file: SourceFile): readonly Node[] {
  if (isFunction(node)) return [];
  const inside = childrenOf(file, node).flatMap((child) => awaitedIn(child, file));
  return node.type === 'AwaitExpression' ? [unwrap(node.argument), ...inside] : inside;
}

/** `await lock.acquire()`, `const release = await lock.acquire()`: what comes is called at most. */
function givesNoData(statement: Node, file: SourceFile): boolean {
  return (
    statement.type !== 'VariableDeclaration' ||
    file.scopes.getDeclaredVariables(statement as never).some(({ references }) =>
      references.some(({ identifier }) => {
        const use = useOf(identifier as unknown as Node);
        return (
          use.kind === 'callee' || (use.kind === 'receiver' && use.call?.arguments.length === 0)
        );
      }),
    )
  );
}

function isTurn(promise: Node, file: SourceFile): boolean {
  switch (promise.type) {
    case 'MemberExpression':
      return true;
    case 'Identifier':
      return isOfOthers(promise, file);
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

/** What is not known to be quick or slow may be a lock. */
function isTurnCall(
  call: CallNode,
  mayBeUnknown: boolean,
  file: SourceFile,
  resolver: Place['resolver'],
): boolean {
  const value = resolver.abstractValueOf(call.callee, file);
  if (value?.kind === 'function') return givesTurn(value.node, value.file);
  return (
    mayBeUnknown &&
    (value === undefined || value.kind === 'package' || value.kind === 'signature') &&
    slowWorkIn(call, file, resolver) === undefined
  );
}

/** `new Promise((resolve) => waiting.push(resolve))`: whoever comes later settles it. */
function givesTurn(fn: FunctionNode, file: SourceFile): boolean {
  return someIn(
    file,
    fn.body,
    (node) => node.type === 'NewExpression' && isSettledByOthers(node, file),
  );
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
