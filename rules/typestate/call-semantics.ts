import type { TSESTree } from '@typescript-eslint/types';
import type { CallSemantics, Throws } from '../flow/builder.ts';
import { functionNamed } from '../syntax/calls.ts';
import { isChain } from '../syntax/chains.ts';
import { type FunctionNode, type Node, isFunction, type CallNode } from '../syntax/node.ts';
import { acquireNames, methods, queryNames, transactionNames } from '../model/drivers.ts';
import { beginNames, releaseNames } from '../model/libraries.ts';
import { plainMethods, quietFunctions, quietMethods } from '../model/quiet-calls.ts';
import { isQuietObject } from './quiet-objects.ts';
import { settledBy } from './settlement.ts';
import { endsProcess } from './ends-process.ts';
import { isRelease, isReleaseItself, releasesIn } from './releasing.ts';
import { cannotReject } from './cannot-reject.ts';
import { executorOf, isBeforeRelease } from './before-release.ts';
import { oncePerFile } from '../syntax/once-per-file.ts';
import { calledAtOnce } from '../values/immediate-call.ts';
import type { Resolver } from '../values/resolver.ts';
import { childrenOf, walk } from '../syntax/preorder.ts';
import {
  contains,
  findAncestor,
  memberName,
  parentOf,
  unwrap,
  isGlobal,
  type SourceFile,
} from '../syntax/source-file.ts';
import { isPromiseClass } from '../syntax/promise-calls.ts';

/** Tells the graph builder what this file's calls mean. */
export function createCallSemantics(resolver: Resolver, file: SourceFile): CallSemantics {
  const worthFollowing = new Map<FunctionNode, boolean>();
  return {
    childrenOf: (node) => childrenOf(file, node),
    throws: (node) =>
      node.type === 'AwaitExpression' && cannotReject(node.argument, file, resolver)
        ? 'no'
        : throwsOf(node, file),
    givesValue: ({ callee }) => givesValue(callee, file),
    neverReturns: (call) => endsProcess(call, file, resolver),
    alwaysThrows: (call) => isStatement(call) && onlyThrows(functionNamed(call.callee, file)),
    callbackOf: (call) => callbackIn(call, file),
    runBehind: (statements) =>
      queriesCallingBack(file).filter((call) => isBeforeRelease(call, statements, file)),
    executorOf,
    immediateOf(call) {
      const { callback, given } = calledAtOnce(call, file, resolver) ?? {};
      return callback !== undefined && given !== undefined && isFunction(callback)
        ? { fn: callback, given }
        : null;
    },
    functionOf(callee) {
      if (isFunction(callee)) return callee.generator ? null : callee;
      const abstractValue = isNameOfFunction(callee)
        ? resolver.local.abstractValueOf(callee, file)
        : undefined;
      // A function that another call has made has that call's variables, and none of ours.
      if (
        abstractValue?.kind !== 'function' ||
        abstractValue.file !== file ||
        !contains(enclosingFunction(abstractValue.node, file), callee)
      )
        return null;
      const known =
        worthFollowing.get(abstractValue.node) ?? handlesClients(abstractValue.node, file);
      worthFollowing.set(abstractValue.node, known);
      return known ? abstractValue.node : null;
    },
    handlerOf(name) {
      const fn = functionNamed(name, file);
      return fn === undefined || fn.generator ? null : fn;
    },
    throwsAsHandler: (name) => (isQuietCall(name, file) ? 'no' : 'yes'),
  };
}

/** The function, written in place, that a driver's call runs once: the last argument of `query`, and any of `connect`. */
export function callbackOf(call: CallNode): FunctionNode | null {
  return calledBack(call).find(isFunction) ?? null;
}

/** The same where the function has a name: `client.query(text, onResult)`. */
export function namedCallbackOf(call: CallNode, file: SourceFile): FunctionNode | null {
  const last = calledBack(call).at(-1);
  const named = last && functionNamed(last, file);
  return named === undefined || named.generator ? null : named;
}

/** Others' `execute(callback)` may do anything with it; a driver's gets its statement first. Behind that of `connect` more may stand. */
function calledBack({ callee, arguments: given }: CallNode): readonly Node[] {
  const name = memberName(callee);
  if (name === undefined) return [];
  if (acquireNames.has(name)) return given.map(unwrap);
  const callsBack =
    name === methods.query ||
    transactionNames.has(name) ||
    (queryNames.has(name) && given.length > 1);
  return callsBack ? given.slice(-1).map(unwrap) : [];
}

/** `client.query(text, callback)`, by where they stand. */
const queriesCallingBack = oncePerFile((file) => {
  const found: CallNode[] = [];
  walk(file, file.ast, (node) => {
    if (node.type === 'CallExpression' && isQuery(node) && callbackIn(node, file) !== null)
      found.push(node);
    return true;
  });
  return found;
});

function isQuery({ callee }: CallNode): boolean {
  return memberName(callee) === methods.query;
}

function callbackIn(call: CallNode, file: SourceFile): FunctionNode | null {
  return callbackOf(call) ?? namedCallbackOf(call, file);
}

/** A call whose value nobody uses. */
function isStatement({ parent }: CallNode): boolean {
  return parent.type === 'ExpressionStatement' || parent.type === 'ReturnStatement';
}

/** `function fail(message) { throw new Error(message); }` */
function onlyThrows(fn: FunctionNode | undefined): boolean {
  if (fn === undefined || fn.async || fn.generator) return false;
  if (fn.returnType?.typeAnnotation.type === 'TSNeverKeyword') return true;
  const statements = fn.body.type === 'BlockStatement' ? fn.body.body : [];
  return (
    statements.at(-1)?.type === 'ThrowStatement' &&
    statements
      .slice(0, -1)
      .every(({ type }) => type === 'ExpressionStatement' || type === 'VariableDeclaration')
  );
}

/**
 * The root of the graph in which a node is evaluated: its function, or, when that function is a callback whose body stands in
 * the graph of the surrounding function, the root of that one.
 */
export function rootOf(node: Node, file: SourceFile): FunctionNode | TSESTree.Program {
  const fn = enclosingFunction(node, file);
  const call = fn.type === 'Program' ? undefined : parentOf(fn);
  if (fn.type !== 'Program' && call?.type === 'NewExpression' && executorOf(call) === fn)
    return rootOf(call, file);
  if (fn.type === 'Program' || call?.type !== 'CallExpression') return fn;
  const isHandler = isChain(call) && call.arguments.some((argument) => argument === fn);
  return isHandler || callbackOf(call) === fn ? rootOf(call, file) : fn;
}

function isNameOfFunction(callee: Node): boolean {
  return (
    callee.type === 'Identifier' ||
    (callee.type === 'MemberExpression' && callee.object.type === 'ThisExpression')
  );
}

/** Functions that release something belong into the graph of their callers; those that acquire have their own. */
function handlesClients(fn: FunctionNode, file: SourceFile): boolean {
  let releases = false;
  let acquires = false;
  walk(file, fn, (node) => {
    if (node.type === 'MemberExpression') {
      const name = memberName(node) ?? '';
      releases ||= name === methods.release || (releaseNames.has(name) && isCalled(node));
      acquires ||= acquireNames.has(name) || beginNames.has(name);
    }
    releases ||= node.type === 'CallExpression' && isRelease(node.callee, file);
    return true;
  });
  return (releases || releasesIn(fn, file)) && !acquires && !fn.generator;
}

/** `trx.commit()`, `work.then(trx.commit)`, and not the mere `result.done`. */
function isCalled(member: Node): boolean {
  return parentOf(member)?.type === 'CallExpression';
}

function throwsOf(node: Node, file: SourceFile): Throws {
  switch (node.type) {
    case 'AwaitExpression':
      return isQuietAwait(node) ? 'no' : 'yes';
    case 'CallExpression':
      return isQuietCall(node.callee, file) ? 'no' : 'implicit-throw';
    case 'NewExpression':
      return isQuietCall(node.callee, file) ? 'no' : 'implicit-throw';
    case 'TaggedTemplateExpression':
    case 'YieldExpression':
    case 'ImportExpression':
      return 'implicit-throw';
    default:
      return 'no';
  }
}

/** `await client.release()`: what is awaited is no promise. */
function isQuietAwait({ argument }: TSESTree.AwaitExpression): boolean {
  const value = unwrap(argument);
  return value.type === 'CallExpression' && memberName(value.callee) === methods.release;
}

function isQuietCall(callee: Node, file: SourceFile): boolean {
  if (callee.type === 'Identifier')
    return isGlobal(callee, file)
      ? quietFunctions.has(callee.name)
      : isReleaseItself(callee, file) || settledBy(callee, file) !== undefined;
  if (callee.type !== 'MemberExpression') return false;
  const name = memberName(callee);
  if (name !== undefined && quietMethods.has(name)) return true;
  return isQuietObject(callee.object, file);
}

/** `logger.error(error)`, `Object.keys(rows)` */
function givesValue(callee: Node, file: SourceFile): boolean {
  return (
    callee.type === 'MemberExpression' &&
    (plainMethods.has(memberName(callee) ?? '') ||
      (isQuietObject(callee.object, file) && !isPromiseClass(callee.object)))
  );
}

/** The function that a node stands in; the file's top level when there is none. */
export function enclosingFunction(node: Node, file: SourceFile): FunctionNode | TSESTree.Program {
  return findAncestor(node, isFunction) ?? file.ast;
}
