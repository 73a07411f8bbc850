import type { TSESTree } from '@typescript-eslint/types';
import { type Node, isFunction } from '../syntax/node.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';
import {
  parentOf,
  unwrap,
  variableOf,
  type SourceFile,
  type Variable,
} from '../syntax/source-file.ts';
import type { KnownFunction } from '../typestate/outcome.ts';

interface Caller {
  readonly resolver: Resolver;
  readonly file: SourceFile;
}

/** A pool that a function asks for by the name of its parameter is its caller's: the argument. Undefined where that is a client, or nothing. */
export function poolGiven(
  pool: Place,
  call: TSESTree.CallExpression,
  fn: KnownFunction,
  { resolver, file }: Caller,
): Place | undefined {
  const index = parameterIndex(pool, fn);
  if (index === -1) return pool;
  const argument = call.arguments[index];
  // A parameter with a default value is the pool of the function itself.
  if (argument === undefined)
    return fn.node.params[index]?.type === 'AssignmentPattern' ? pool : undefined;
  const kind = resolver.entityOf(argument, file)?.kind;
  if (kind === 'pool' || kind === 'either') return { node: argument, file };
  return kind === undefined && argument.type !== 'SpreadElement'
    ? { node: fallbackOf(argument), file }
    : undefined;
}

/** `client || this.getPool()`: the pool, when there is no client. */
function fallbackOf(argument: Node): Node {
  const plain = unwrap(argument);
  return plain.type === 'LogicalExpression' && plain.operator !== '&&' ? plain.right : plain;
}

/** What a function is called back with is for whoever calls it to say. */
export function isParameterOf(pool: Place, fn: KnownFunction): boolean {
  return parameterIndex(pool, fn) !== -1;
}

/** The position of the parameter that an expression names; -1 when it names none. */
function parameterIndex(place: Place, { node: fn, file }: KnownFunction): number {
  if (place.file !== file) return -1;
  const plain = unwrap(place.node);
  const declared = plain.type === 'Identifier' ? declarationOf(variableOf(file, plain)) : undefined;
  return declared === undefined
    ? -1
    : fn.params.findIndex(
        (param) => (param.type === 'AssignmentPattern' ? param.left : param) === declared,
      );
}

function declarationOf(variable: Variable | undefined): Node | undefined {
  return variable?.identifiers[0] as unknown as Node | undefined;
}

/** The functions among the arguments of a call that the called function calls and waits for. */
export function functionsCalledBack(
  call: TSESTree.CallExpression,
  { node, file: calleeFile }: KnownFunction,
  { resolver, file }: Caller,
): readonly KnownFunction[] {
  return call.arguments.flatMap((argument, index) => {
    if (
      (argument.type !== 'Identifier' && !isFunction(argument)) ||
      !isCalled(node.params[index], calleeFile)
    )
      return [];
    const entity = resolver.entityOf(argument, file);
    return entity?.kind === 'function' ? entity : [];
  });
}

function isCalled(param: Node | undefined, file: SourceFile): boolean {
  const variable = param?.type === 'Identifier' ? variableOf(file, param) : undefined;
  return (
    variable?.references.some(({ identifier }) => isCallee(identifier as unknown as Node)) === true
  );
}

function isCallee(node: Node): boolean {
  const call = parentOf(node);
  return call?.type === 'CallExpression' && call.callee === node && !isDropped(call);
}
