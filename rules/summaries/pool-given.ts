import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { isSamePlace, placeOf } from '../values/apart.ts';
import { isNothing } from '../syntax/constants.ts';
import { handleAt, handleOf } from '../values/handles.ts';
import { otherwiseOf } from '../values/otherwise.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';
import {
  isParameterName,
  parameterNamed,
  partGiven,
  usesOfParameter,
  type NamedParameter,
} from '../syntax/parameters.ts';
import { contains, parentOf, unwrap, type SourceFile } from '../syntax/source-file.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { givenToMaker, handleBelow, keptParameter } from './given-to-maker.ts';

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
  const own = isOfModels(pool, resolver) ? undefined : parameterOf(pool, fn, resolver);
  if (own === undefined) {
    const given = givenToMaker(pool, call, { resolver, file });
    if (given !== undefined) return given === 'unknown' ? undefined : poolIn(given, resolver);
    return receiverOf(pool, call, { resolver, file }) ?? pool;
  }
  const argument = call.arguments[own.index];
  // A parameter with a default value is the pool of the function itself.
  if (argument === undefined || isUndefined(argument)) return defaultOf(own.parameter, fn.file);
  const node = partGiven(argument, own);
  return node && poolIn({ node, file }, resolver);
}

function isUndefined(argument: Node): boolean {
  return isNothing(argument) && argument.type !== 'Literal';
}

/** What is given, where it is a pool for all that is known. */
function poolIn({ node, file }: Place, resolver: Resolver): Place | undefined {
  const kind = resolver.abstractValueOf(node, file)?.kind;
  if (kind === 'pool' || kind === 'either' || kind === 'handle') return { node, file };
  return kind === undefined && node.type !== 'SpreadElement'
    ? { node: fallbackOf(node), file }
    : undefined;
}

/** `pool` of `given ?? pool`, where nothing is given. */
export function poolWithout(
  pool: Place,
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): Place {
  const rest = pool.file === file ? otherwiseOf(pool.node, fn, file) : undefined;
  const handle = rest && handleAt(rest, file, resolver);
  const isPool =
    rest !== undefined &&
    (handle === undefined
      ? resolver.abstractValueOf(rest, file)?.kind === 'pool'
      : handle.mayBeLent !== true);
  return isPool ? { node: rest, file } : pool;
}

/** Whatever object of a class of models it is, the class says which pool it speaks to. */
function isOfModels({ node, file }: Place, resolver: Resolver): boolean {
  return handleOf(resolver.abstractValueOf(node, file), resolver)?.library.isTold === true;
}

/** What a method does with `this` where that is a handle itself, it does with what it is called on. */
function receiverOf(
  pool: Place,
  { callee }: TSESTree.CallExpression,
  { resolver, file }: Caller,
): Place | undefined {
  if (callee.type !== 'MemberExpression' || !startsAtThis(pool.node)) return undefined;
  const own = handleOf(resolver.abstractValueOf(pool.node, pool.file), resolver);
  const receiver = handleOf(resolver.abstractValueOf(callee.object, file), resolver);
  const isOne =
    own?.ofClass !== undefined &&
    receiver?.ofClass !== undefined &&
    isSamePlace(placeOf(own.site), own.ofClass);
  return isOne ? { node: callee.object, file } : undefined;
}

function startsAtThis(node: Node): boolean {
  const plain = unwrap(node);
  return plain.type === 'MemberExpression'
    ? startsAtThis(plain.object)
    : plain.type === 'ThisExpression';
}

function defaultOf(param: Node | undefined, file: SourceFile): Place | undefined {
  return param?.type === 'AssignmentPattern' ? { node: param.right, file } : undefined;
}

/** A handle that the caller gives may be a transaction's. */
export function mayBeLentAs(
  pool: Place | undefined,
  need: { readonly pool: Place; readonly mayBeLent: boolean },
  resolver: Resolver,
): boolean {
  if (pool === undefined || pool === need.pool) return need.mayBeLent;
  const { node, file } = pool;
  const value = resolver.abstractValueOf(node, file);
  return (
    value?.kind === 'handle' && (value.mayBeLent === true || isParameterName(unwrap(node), file))
  );
}

/** `client || this.getPool()`: the pool, when there is no client. */
function fallbackOf(argument: Node): Node {
  const plain = unwrap(argument);
  return plain.type === 'LogicalExpression' && plain.operator !== '&&' ? plain.right : plain;
}

/** The caller of a function says what it is, by an argument or by the object that it calls it on. */
export function isGiven(pool: Place, fn: KnownFunction, resolver: Resolver): boolean {
  const maker = isParameterOf(pool, fn, resolver) ? fn.node : keptParameter(pool, resolver)?.maker;
  return maker !== undefined && pool.file === fn.file && contains(maker, fn.node);
}

/** What whoever calls a function gives, or made its object with, is not known where it is given away. */
export function isOwn(
  need: {
    readonly pool: Place;
    readonly unlessGiven: readonly unknown[];
    readonly mayBeLent: boolean;
  },
  fn: KnownFunction,
  resolver: Resolver,
): boolean {
  return (
    need.unlessGiven.length === 0 && !need.mayBeLent && !isParameterOf(need.pool, fn, resolver)
  );
}

/** What a function is called back with is for whoever calls it to say. */
function isParameterOf(pool: Place, fn: KnownFunction, resolver: Resolver): boolean {
  return parameterOf(pool, fn, resolver) !== undefined;
}

/** The parameter of the function that an expression names. */
function parameterOf(
  pool: Place,
  fn: KnownFunction,
  resolver: Resolver,
): NamedParameter | undefined {
  const { file } = pool;
  const named = file === fn.file ? parameterNamed(handleBelow(pool, resolver), file) : undefined;
  return named?.fn === fn.node ? named : undefined;
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
      !usesOfParameter(node, index, calleeFile).some(isCallee)
    )
      return [];
    const value = resolver.abstractValueOf(argument, file);
    return value?.kind === 'function' ? value : [];
  });
}

function isCallee(node: Node): boolean {
  const call = parentOf(node);
  return call?.type === 'CallExpression' && call.callee === node && !isDropped(call);
}
