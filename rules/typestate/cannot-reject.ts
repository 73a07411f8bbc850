import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { choosy } from '../values/choosy-resolver.ts';
import type { Resolver } from '../values/resolver.ts';
import { someIn } from '../syntax/preorder.ts';
import {
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  declarationOf,
} from '../syntax/source-file.ts';

/**
 * Whether a promise can only fulfil: `new Promise((resolve) => setTimeout(resolve, 100))`, a variable with one in it,
 * or a call of a function that does nothing but return one.
 */
export function cannotReject(promise: Node, file: SourceFile, resolver: Resolver): boolean {
  const plain = unwrap(promise);
  if (plain.type === 'NewExpression') return fulfilsOnly(plain, file);
  if (plain.type === 'CallExpression') return isCallOfSleep(plain, file, resolver);
  const made = plain.type === 'Identifier' ? initialOf(plain, file) : undefined;
  return made?.type === 'NewExpression' && fulfilsOnly(made, file);
}

function initialOf(name: TSESTree.Identifier, file: SourceFile): Node | undefined {
  const variable = variableOf(file, name);
  const node = declarationOf(variable);
  if (
    variable === undefined ||
    node?.type !== 'VariableDeclarator' ||
    node.id.type !== 'Identifier' ||
    node.init === null ||
    writesTo(variable).length > 0
  )
    return undefined;
  return unwrap(node.init);
}

const promiseMakersOnly = choosy(({ text }) => /\bnew\s+Promise\b/u.test(text));

/** `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`, in whichever file. */
function isCallOfSleep({ callee }: CallNode, file: SourceFile, resolver: Resolver): boolean {
  const abstractValue = promiseMakersOnly(resolver).abstractValueOf(callee, file);
  const value = abstractValue?.kind === 'function' ? onlyValueOf(abstractValue.node) : undefined;
  return (
    abstractValue?.kind === 'function' &&
    value?.type === 'NewExpression' &&
    fulfilsOnly(value, abstractValue.file)
  );
}

function onlyValueOf({ body }: FunctionNode): Node | undefined {
  if (body.type !== 'BlockStatement') return unwrap(body);
  const [only, more] = body.body;
  return only?.type === 'ReturnStatement' && only.argument !== null && more === undefined
    ? unwrap(only.argument)
    : undefined;
}

/** Nothing in it can reject: it does not throw by itself, has no use for `reject`, and resolves with no other promise. */
function fulfilsOnly(
  { callee, arguments: [executor] }: TSESTree.NewExpression,
  file: SourceFile,
): boolean {
  if (
    callee.type !== 'Identifier' ||
    callee.name !== 'Promise' ||
    executor === undefined ||
    !isFunction(executor)
  )
    return false;
  const [resolve, reject] = executor.params;
  return (
    (reject === undefined || usesOf(reject, file)?.length === 0) &&
    usesOf(resolve, file)?.every(givesNoPromise) === true &&
    !throwsItself(executor, file)
  );
}

/** Undefined for a parameter that is no plain name. */
function usesOf(param: Node | undefined, file: SourceFile): readonly Node[] | undefined {
  const variable = variableOf(file, param);
  return variable?.references.map(({ identifier }) => identifier as Node);
}

/** `resolve()`, `resolve('text')`, `setTimeout(resolve, 100)` */
function givesNoPromise(use: Node): boolean {
  const call = parentOf(use);
  if (call?.type !== 'CallExpression') return false;
  const [value] = call.arguments;
  return call.callee !== use || value === undefined || value.type === 'Literal';
}

function throwsItself(executor: FunctionNode, file: SourceFile): boolean {
  return someIn(
    file,
    executor.body,
    (node) => node.type === 'ThrowStatement' || node.type === 'AwaitExpression',
    isFunction,
  );
}
