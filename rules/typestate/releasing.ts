import { acquireNames, methods } from '../model/drivers.ts';
import {
  type FunctionNode,
  type Node,
  isClass,
  isFunction,
  type CallNode,
} from '../syntax/node.ts';
import { oncePerTree } from '../syntax/once-per-file.ts';
import { someIn, walk } from '../syntax/preorder.ts';
import {
  referencesTo,
  contains,
  findAncestor,
  definitionOf,
  keyName,
  memberName,
  parentOf,
  unwrap,
  variableOf,
  writesTo,
  type SourceFile,
  type Variable,
  isMember,
} from '../syntax/source-file.ts';
import { paramsOf } from '../syntax/parameters.ts';
import { callOf, nameOfFunction } from '../syntax/calls.ts';

const maximalDepth = 4;

/** Whether an expression is a function that gives a client back, or one of this file that calls such a function. */
export function isRelease(node: Node, file: SourceFile): boolean {
  const fn = functionOf(unwrap(node), file);
  return fn === undefined ? isReleaseItself(node, file) : releasesIn(fn, file);
}

function functionOf(node: Node, file: SourceFile): FunctionNode | undefined {
  const definition = definitionOf(variableOf(file, node));
  const declared = definition?.node as Node | undefined;
  const value =
    definition?.type === 'Variable' && declared?.type === 'VariableDeclarator'
      ? declared.init
      : definition?.type === 'FunctionName'
        ? declared
        : node;
  return value && isFunction(value) ? value : undefined;
}

/** `client.release`, the third thing that `connect` calls back with, or what is one of these by way of variables and calls of this file. */
export function isReleaseItself(node: Node, file: SourceFile, depth = 0): boolean {
  const plain = unwrap(node);
  if (depth > maximalDepth) return false;
  switch (plain.type) {
    case 'MemberExpression':
      return memberName(plain) === methods.release;
    case 'CallExpression':
      return isMember(plain.callee, 'bind') && isReleaseItself(plain.callee.object, file, depth);
    case 'Identifier':
      return isReleaseVariable(variableOf(file, plain), file, depth);
    default:
      return false;
  }
}

function isReleaseVariable(
  variable: Variable | undefined,
  file: SourceFile,
  depth: number,
): boolean {
  const definition = definitionOf(variable);
  if (variable === undefined || definition === undefined) return false;
  const node = definition.node as Node;
  if (definition.type === 'Parameter')
    return isFunction(node) && isReleaseParameter(node, variable, file, depth);
  if (node.type !== 'VariableDeclarator') return false;
  const initial = node.id.type === 'Identifier' && node.init !== null ? [node.init] : [];
  return (
    isTakenFromClient(node.id, variable) ||
    [...initial, ...writesTo(variable)].some((value) => isReleaseItself(value, file, depth + 1))
  );
}

/** `const { release } = client` */
function isTakenFromClient(pattern: Node, { identifiers }: Variable): boolean {
  return (
    pattern.type === 'ObjectPattern' &&
    pattern.properties.some(
      (property) =>
        property.type === 'Property' &&
        property.value === (identifiers[0] as unknown as Node) &&
        keyName(property.key, property.computed) === methods.release,
    )
  );
}

/** `(error, client, done)` of a function that is called back with a client, or a parameter that callers of this file give such a function. */
function isReleaseParameter(
  fn: FunctionNode,
  { identifiers }: Variable,
  file: SourceFile,
  depth: number,
): boolean {
  const params = paramsOf(fn);
  const index = params.findIndex((param) => param === (identifiers[0] as unknown as Node));
  if (index === -1) return false;
  if (index === 2 && (isQueried(params[1], file) || usesOf(fn, file).some(isGivenToAcquire)))
    return true;
  return usesOf(fn, file).some((use) => {
    const given = callOf(use)?.arguments[index];
    return given !== undefined && isReleaseItself(given, file, depth + 1);
  });
}

/** Where a function stands, and the names under which the file speaks of it. */
function usesOf(fn: FunctionNode, file: SourceFile): readonly Node[] {
  return [fn, ...referencesTo(nameOfFunction(fn), file)];
}

function isQueried(client: Node | undefined, file: SourceFile): boolean {
  return referencesTo(client, file).some(
    (reference) => memberName(parentOf(reference)) === methods.query,
  );
}

function isGivenToAcquire(use: Node): boolean {
  const call = parentOf(use);
  return (
    call?.type === 'CallExpression' &&
    acquireNames.has(memberName(call.callee) ?? '') &&
    call.arguments.some((each) => each === use)
  );
}

const releasing = oncePerTree(() => new Map<FunctionNode, boolean>());

/** Whether a function gives back a client that is not its own, or lets a query do it: `client.query('ROLLBACK', done)`, or another function of this file. */
export function releasesIn(fn: FunctionNode, file: SourceFile): boolean {
  const known = releasing(file);
  const releases = known.get(fn) ?? findRelease(fn, file);
  known.set(fn, releases);
  return releases;
}

/** The same for a method, which may leave it to other methods of its class, or call one of `ends` to give a transaction's connection back. */
export function releasesInMethod(
  method: FunctionNode,
  file: SourceFile,
  ends: readonly string[],
): boolean {
  const members = findAncestor(method, isClass)?.body.body ?? [];
  // The set grows while it is read: it is the worklist.
  const reached = new Set([method]);
  for (const fn of reached) {
    if (releasesIn(fn, file) || callsOneOf(ends, fn, file)) return true;
    walk(file, fn.body, (node) => {
      const called =
        node.type === 'CallExpression' && node.callee.type === 'MemberExpression'
          ? memberName(node.callee)
          : undefined;
      for (const each of members)
        if (
          called !== undefined &&
          each.type === 'MethodDefinition' &&
          keyName(each.key, each.computed) === called &&
          isFunction(each.value)
        )
          reached.add(each.value);
      return true;
    });
  }
  return false;
}

function callsOneOf(names: readonly string[], fn: FunctionNode, file: SourceFile): boolean {
  if (names.length === 0) return false;
  return someIn(file, fn, (node) => names.includes(memberName(node) ?? ''));
}

function findRelease(fn: FunctionNode, file: SourceFile): boolean {
  // The set grows while it is read: it is the worklist.
  const reached = new Set([fn]);
  for (const each of reached) {
    const releases = someIn(file, each, (node) => {
      if (node.type !== 'CallExpression') return false;
      const called = functionOf(node.callee, file);
      const handsOn = node.arguments.some(
        (given) => given.type !== 'Literal' && !isOwn(given, each, file),
      );
      if (called !== undefined && handsOn) reached.add(called);
      const release = releaseIn(node, file);
      return release !== undefined && !isOwn(release, each, file);
    });
    if (releases) return true;
  }
  return false;
}

/** What a call calls, or a query calls in the end, to give a client back. */
function releaseIn({ callee, arguments: given }: CallNode, file: SourceFile): Node | undefined {
  if (isReleaseItself(callee, file)) return callee;
  const last = given.at(-1);
  return memberName(callee) === methods.query && last !== undefined && isReleaseItself(last, file)
    ? last
    : undefined;
}

/** Declared in the function's own body. */
function isOwn(release: Node, fn: FunctionNode, file: SourceFile): boolean {
  const plain = unwrap(release);
  if (plain.type === 'MemberExpression') return isOwn(plain.object, fn, file);
  const declared = variableOf(file, plain)?.identifiers[0] as unknown as Node | undefined;
  return declared !== undefined && contains(fn.body, declared);
}
