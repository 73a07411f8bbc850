import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isClass, isFunction } from '../syntax/node.ts';
import { acquireNames, drivers, methods, queryNames } from '../model/drivers.ts';
import { lenderBeside, libraryFor } from '../model/libraries.ts';
import { placeOf } from '../values/apart.ts';
import type { Origin } from '../values/entities.ts';
import { isAmbientAt } from '../values/ambient.ts';
import { absentAt, executorOf, isGivenAt, type Executor } from '../values/executor.ts';
import { isParameterName, parameterIndex } from '../syntax/parameters.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { calledName } from '../syntax/calls.ts';
import { askedBy, waitFor, type Request } from '../syntax/call-chain.ts';
import { handleOf } from '../values/handles.ts';
import { holdingAround, holdingBy, type Holding } from '../values/holding.ts';
import { isBound, sentLaterAt, takingCall, type TakingCall } from '../values/library-calls.ts';
import type { Resolver } from '../values/resolver.ts';
import { callsIn, isNeverReached } from './calls-made.ts';
import { byDistance, createEffects, type Effect, type EffectsOf, type Hop } from './effects.ts';
import { functionsCalledBack, isParameterOf, poolGiven } from './pool-given.ts';
import type { Place } from '../values/same-pool.ts';
import { walk } from '../syntax/preorder.ts';
import {
  findAncestor,
  memberName,
  unwrap,
  variableOf,
  type SourceFile,
} from '../syntax/source-file.ts';

/** A call needs a client of a pool: itself, or several calls away. */
export interface PoolNeed extends Effect {
  /** The expression that names the pool where the client is asked for. */
  readonly pool: Place;
  /** It takes a connection of its own whatever transaction is around it. */
  readonly isApart: boolean;
  /** What would serve instead, as in `db = client ?? pool`. */
  readonly unlessGiven: Executor | undefined;
  /** It is a query that a function gives back, and that is sent once a caller waits for it. */
  readonly isGivenBack: boolean;
  /** What names the pool may be the handle of a transaction. */
  readonly mayBeLent: boolean;
}

interface Caller {
  readonly call: Request;
  readonly file: SourceFile;
  readonly resolver: Resolver;
  /** The function around the call, whose parameters may be handed on. */
  readonly fn: FunctionNode | undefined;
}

const needsInside: EffectsOf<PoolNeed, undefined> = createEffects({
  effectsIn: ({ node: fn, file }, _entry, resolver) => {
    const own = [
      ...callsIn(fn, file).flatMap((call) =>
        absentAt(call, fn).some((absent) => isAmbientAt(absent, file, resolver))
          ? []
          : needsOf({ call, file, resolver, fn }).flatMap((need) =>
              inFunction(need, call, fn, file),
            ),
      ),
      ...storedNeedsIn(fn, file, resolver).flatMap((need) => inFunction(need, need.node, fn, file)),
    ];
    const holding = holdingAround(fn, file, resolver);
    return holding === undefined ? own : needsOfHolding(holding, own, file);
  },
  identityOf: ({ pool, unlessGiven, isApart, isGivenBack, mayBeLent }, resolver) => [
    isApart,
    isGivenBack,
    mayBeLent,
    unlessGiven?.index,
    unlessGiven?.key,
    ...partsOfPool(pool, resolver),
  ],
});

/** A need as the function around it has it. */
function inFunction<Need extends PoolNeed>(
  need: Need,
  call: Request,
  fn: FunctionNode,
  file: SourceFile,
): readonly PoolNeed[] {
  const instead = executorOf(call, need.pool, fn, file);
  if (instead !== undefined) return [{ ...need, unlessGiven: instead, mayBeLent: false }];
  return need.mayBeLent && !isParameterOf(need.pool, { kind: 'function', node: fn, file })
    ? []
    : [need];
}

/** What a stored query takes from a pool. */
export interface StoredNeed extends PoolNeed {
  readonly node: Request;
  /** The query was under way before it was waited for. */
  readonly isStarted: boolean;
}

/** The pools that stored queries take a client from where a node sends them. */
export function storedNeedsAt(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly StoredNeed[] {
  return sentLaterAt(node, file, resolver)
    .filter(({ library }) => !library.joins)
    .map(({ request, handle, library, mayBeLent, isStarted }) => ({
      ...needAt(handle, request, file, false),
      node: request,
      isGivenBack: library.isLazy && node.type === 'ReturnStatement' && !isAsyncAround(node),
      mayBeLent,
      isStarted,
    }));
}

function isAsyncAround(node: Node): boolean {
  return findAncestor(node, isFunction)?.async === true;
}

function storedNeedsIn(
  fn: FunctionNode,
  file: SourceFile,
  resolver: Resolver,
): readonly StoredNeed[] {
  const needs: StoredNeed[] = [];
  walk(file, fn.body, (node) => {
    if (isFunction(node) || isNeverReached(node)) return false;
    needs.push(...storedNeedsAt(node, file, resolver));
    return true;
  });
  return needs;
}

/** A method that holds a connection needs that; what joins it needs none. */
function needsOfHolding(
  { call, isHeld, isApart, leaves }: Holding,
  own: readonly PoolNeed[],
  file: SourceFile,
): readonly PoolNeed[] {
  if (leaves) return own.map((need) => ({ ...need, isApart: true }));
  return isHeld ? [needAt(call, call, file, isApart), ...own.filter((need) => need.isApart)] : own;
}

function needAt(node: Node, call: Request, file: SourceFile, isApart: boolean): PoolNeed {
  return {
    pool: { node, file },
    isApart,
    unlessGiven: undefined,
    isGivenBack: false,
    mayBeLent: false,
    node: call,
    file,
    via: [],
  };
}

/** The pools that a call takes a client from, nearest first. */
export function poolNeedsOf(
  call: Request,
  file: SourceFile,
  resolver: Resolver,
): readonly PoolNeed[] {
  return needsOf({ call, file, resolver, fn: undefined })
    .filter(({ mayBeLent }) => !mayBeLent)
    .sort(byDistance);
}

/** The same for a function that is called with what nobody here knows. */
export function poolNeedsInside(
  fn: KnownFunction,
  callee: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly PoolNeed[] {
  return (needsInside(fn, callee, { file, resolver }, undefined) ?? [])
    .filter(({ pool, unlessGiven }) => unlessGiven === undefined && !isParameterOf(pool, fn))
    .sort(byDistance);
}

/** The pools whose clients a call has while it calls back: what its callbacks need for themselves is not among them. */
export function poolsHeldBy(
  call: Request,
  file: SourceFile,
  resolver: Resolver,
): readonly PoolNeed[] {
  return holdingBy(call, file, resolver) === undefined
    ? ownNeedsOf({ call, file, resolver, fn: undefined }).filter(({ mayBeLent }) => !mayBeLent)
    : [needAt(call, call, file, false)];
}

function needsOf(caller: Caller): readonly PoolNeed[] {
  return [...ownNeedsOf(caller), ...needsOfCallbacks(caller)];
}

function ownNeedsOf(caller: Caller): readonly PoolNeed[] {
  const { call, file, resolver } = caller;
  const pool = poolAsked(call, file, resolver);
  if (pool !== undefined)
    return [needAt(pool, call, file, acquireNames.has(calledName(askedBy(call)) ?? ''))];
  const ofHandle = takingCall(call, file, resolver);
  if (ofHandle !== undefined) return needOfHandle(caller, ofHandle);
  const callee = askedBy(call);
  const entity = resolver.entityOf(callee, file);
  if (entity?.kind !== 'function' || call.type !== 'CallExpression') return [];
  const own = needsInside(entity, callee, caller, undefined) ?? [];
  return own.flatMap((need) => forCaller(need, entity, { ...caller, call }) ?? []);
}

function needOfHandle(caller: Caller, taking: TakingCall): readonly PoolNeed[] {
  const { call, file, fn } = caller;
  const { handle, library, mayBeLent } = taking;
  if (library.joins) return [];
  const need = { ...needAt(handle, call, file, isApart(taking, caller)), mayBeLent };
  if (!library.isLazy || waitFor(call) !== 'given back') return [need];
  return fn === undefined || findAncestor(call, isFunction) === fn
    ? [{ ...need, isGivenBack: true }]
    : [];
}

/** `pool` of `pool.query()` and `pool.connect()` */
function poolAsked(call: Request, file: SourceFile, resolver: Resolver): Node | undefined {
  return call.type === 'CallExpression' &&
    call.callee.type === 'MemberExpression' &&
    asksPool(call, call.callee, resolver, file)
    ? call.callee.object
    : undefined;
}

/** A transaction of a data source itself, and one that is told to be apart. */
function isApart({ handle, sends }: TakingCall, { call, file, resolver }: Caller): boolean {
  const holding = handle === call ? holdingBy(call, file, resolver) : undefined;
  return holding?.isApart ?? (!sends && resolver.entityOf(handle, file)?.kind === 'pool');
}

function needsOfCallbacks(caller: Caller): readonly PoolNeed[] {
  const { call, file, resolver } = caller;
  if (call.type !== 'CallExpression') return [];
  const entity = resolver.entityOf(call.callee, file);
  if (entity?.kind !== 'function') return [];
  return functionsCalledBack(call, entity, { resolver, file }).flatMap((fn) =>
    (needsInside(fn, call.callee, caller, undefined) ?? [])
      .filter(({ pool }) => !isParameterOf(pool, fn))
      .map((need) => ({
        ...need,
        unlessGiven: undefined,
        via: throughFunction(entity, need.via),
      })),
  );
}

/** A need of a function as its caller has it; undefined when the caller gives something that serves instead. */
function forCaller(
  need: PoolNeed,
  callee: KnownFunction,
  caller: Caller & { readonly call: TSESTree.CallExpression },
): PoolNeed | undefined {
  const { call, file, resolver, fn } = caller;
  const wait = need.isGivenBack ? waitFor(call) : 'waited for';
  if (wait === 'dropped') return undefined;
  const served = need.unlessGiven;
  const passed = served && call.arguments[served.index];
  const index = fn === undefined || passed === undefined ? -1 : parameterIndex(passed, fn, file);
  const unlessGiven = served && index !== -1 ? { ...served, index } : undefined;
  if (unlessGiven === undefined && served !== undefined && isGivenAt(call, served))
    return undefined;
  const isGivenBack = wait === 'given back';
  const pool = poolGiven(need.pool, call, callee, { resolver, file });
  const mayBeLent = mayBeLentAs(pool, need, resolver);
  return pool && { ...need, pool, unlessGiven, isGivenBack, mayBeLent };
}

/** A handle that the caller gives may be a transaction's. */
function mayBeLentAs(pool: Place | undefined, need: PoolNeed, resolver: Resolver): boolean {
  if (pool === undefined || pool === need.pool) return need.mayBeLent;
  const { node, file } = pool;
  const entity = resolver.entityOf(node, file);
  return (
    entity?.kind === 'handle' && (entity.mayBeLent === true || isParameterName(unwrap(node), file))
  );
}

/** What a callback needs is needed by the function that calls it. */
function throughFunction({ node, file }: KnownFunction, via: readonly Hop[]): readonly Hop[] {
  return via.map((hop, index) => (index === 0 ? { ...hop, node, file } : hop));
}

/** Places with equal parts name one pool. */
function partsOfPool({ node, file }: Place, resolver: Resolver): readonly unknown[] {
  const entity = resolver.entityOf(node, file);
  const pool = entity?.kind === 'either' ? entity.pool : (handleOf(entity, resolver) ?? entity);
  if (pool?.kind === 'pool' || pool?.kind === 'handle')
    return originsOf(pool.origin).flatMap((origin) => {
      const { path, range } = placeOf(origin);
      return [path, ...range];
    });
  const start = startOf(node);
  return [
    file,
    file.text.slice(...node.range),
    start.type === 'Identifier' ? variableOf(file, start) : findAncestor(node, isClass),
  ];
}

function originsOf(origin: Origin): readonly Origin[] {
  return origin.holder === undefined ? [origin] : [origin, ...originsOf(origin.holder)];
}

/** The expression at the very left: `a` of `a.b().c`. */
function startOf(node: Node): Node {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return startOf(plain.object);
  return plain.type === 'CallExpression' ? startOf(plain.callee) : plain;
}

/** `pool.query()`, `pool.connect()`: on a pool, or on something of which only the name can tell. An unmistakable name tells enough. */
function asksPool(
  call: TSESTree.CallExpression,
  callee: TSESTree.MemberExpression,
  resolver: Resolver,
  file: SourceFile,
): boolean {
  const name = memberName(callee);
  if (name === undefined || (!queryNames.has(name) && !acquireNames.has(name))) return false;
  const entity = resolver.entityOf(callee.object, file);
  if (entity === undefined) return toldByName(name, call);
  const pool = entity.kind === 'either' ? entity.pool : entity;
  if (pool.kind === 'handle') return lenderBeside(pool.library)?.acquire === name;
  if (pool.kind !== 'pool') return false;
  const library = libraryFor(pool.driver);
  return (
    pool.driver.acquire === name ||
    (pool.driver.queries.includes(name) && !(library && isBound(call, name, library)))
  );
}

function toldByName(name: string, call: TSESTree.CallExpression): boolean {
  return (
    name === methods.query ||
    (name === methods.acquire && call.arguments.length < 2) ||
    drivers.some(({ acquire, isUnmistakable }) => isUnmistakable && acquire === name)
  );
}
