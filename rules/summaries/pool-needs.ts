import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { isAmbientAt } from '../values/ambient.ts';
import type { Told } from '../values/connection-given.ts';
import { absentAt } from '../syntax/conditions.ts';
import { executorOf, givenAt, servedBy, type Executor } from '../values/executor.ts';
import type { Library } from '../model/library.ts';
import { isParameterName } from '../syntax/parameters.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import { askedBy, waitFor, type Request } from '../syntax/call-chain.ts';
import { waitBehind, type HandleCall } from '../values/handle-call.ts';
import { handleAt } from '../values/handles.ts';
import { enclosingHolding, holdingBy, type Holding } from '../values/holding.ts';
import { beginningCall, sentLaterAt, takingCall } from '../values/library-calls.ts';
import { joinsTransaction } from '../values/queries-join.ts';
import { isMadeAnew } from '../values/allocation-sites.ts';
import type { Resolver } from '../values/resolver.ts';
import { callsIn, isNeverReached, thunksGiven } from './calls-made.ts';
import { poolAsked } from './pool-asked.ts';
import {
  byDistance,
  createEffects,
  throughFunction,
  type Effect,
  type EffectsOf,
} from './effects.ts';
import {
  functionsCalledBack,
  isGiven,
  isOwn,
  mayBeLentAs,
  poolGiven,
  poolWithout,
} from './pool-given.ts';
import { partsOfPool } from './pool-parts.ts';
import { isAbsent, neededGiven, needUnless, type Telling } from './told-in-call.ts';
import type { Place } from '../values/same-pool.ts';
import { walk } from '../syntax/preorder.ts';
import { findAncestor, type SourceFile } from '../syntax/source-file.ts';

/** A call needs a client of a pool: itself, or several calls away. */
export interface PoolNeed extends Effect {
  /** The expression that names the pool where the client is asked for. */
  readonly pool: Place;
  /** It takes a connection of its own whatever transaction is around it. */
  readonly isApart: boolean;
  /** It is a transaction of this library, and joins one of the same around it. */
  readonly ambient: Library | undefined;
  /** What would serve instead, each by itself, as in `db = client ?? pool`. */
  readonly unlessGiven: readonly Executor[];
  /** What has to be given, or it is not asked for: `if (options?.signed) …`. */
  readonly onlyGiven: readonly Executor[];
  /** In a transaction with a callback it takes that one's connection. */
  readonly joins: boolean;
  /** The library of a query that a function gives back, and that is sent once a caller waits for it. */
  readonly unsent: Library | undefined;
  /** What names the pool may be the handle of a transaction. */
  readonly mayBeLent: boolean;
}

interface Caller extends Telling {
  readonly call: Request;
  readonly resolver: Resolver;
}

const needsInside: EffectsOf<PoolNeed, undefined> = createEffects({
  effectsIn: (known, _entry, resolver) => {
    const { node: fn, file } = known;
    const own = [
      ...callsIn(fn, file).flatMap((call) =>
        absentAt(call, fn, file).some((absent) => isAmbientAt(absent, file, resolver))
          ? []
          : needsOf({ call, file, resolver, fn }).flatMap((need) =>
              inFunction(need, call, known, resolver),
            ),
      ),
      ...storedNeedsIn(fn, file, resolver).flatMap((need) =>
        inFunction(need, need.node, known, resolver),
      ),
    ];
    const holding = enclosingHolding(fn, file, resolver);
    return holding === undefined ? own : needsOfHolding(holding, own, file);
  },
  identityOf: (
    { pool, unlessGiven, onlyGiven, isApart, ambient, joins, unsent, mayBeLent },
    resolver,
  ) => [
    isApart,
    ambient,
    joins,
    unsent,
    mayBeLent,
    ...unlessGiven.flatMap(({ index, key }) => [index, key]),
    'only',
    ...onlyGiven.flatMap(({ index, key }) => [index, key]),
    ...partsOfPool(pool, resolver),
  ],
});

/** A need as the function around it has it. */
function inFunction<Need extends PoolNeed>(
  need: Need,
  call: Request,
  known: KnownFunction,
  resolver: Resolver,
): readonly PoolNeed[] {
  const { node: fn, file } = known;
  const instead = executorOf(call, need.pool, fn, file);
  const here = { ...need, onlyGiven: [...need.onlyGiven, ...givenAt(call, fn, file)] };
  if (instead !== undefined)
    return [
      {
        ...here,
        pool: poolWithout(need.pool, fn, file, resolver),
        unlessGiven: [...need.unlessGiven, instead],
        mayBeLent: false,
      },
    ];
  return need.mayBeLent && !isGiven(need.pool, known, resolver) ? [] : [here];
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
    .filter(({ told }) => told.kind !== 'some')
    .map((asked) => ({
      ...needAt(asked.handle, asked.request, file, false),
      node: asked.request,
      joins: asked.told.kind !== 'none' && joinsTransaction(asked, file, resolver),
      unsent: leavesUnsent(node, asked.library) ? asked.library : undefined,
      mayBeLent: asked.mayBeLent,
      isStarted: asked.isStarted,
    }));
}

function leavesUnsent(node: Node, { isLazy }: Library): boolean {
  return (
    isLazy && node.type === 'ReturnStatement' && findAncestor(node, isFunction)?.async !== true
  );
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
  { call, library, isHeld, isApart, leaves }: Holding,
  own: readonly PoolNeed[],
  file: SourceFile,
): readonly PoolNeed[] {
  if (leaves) return own.map((need) => ({ ...need, isApart: true }));
  return isHeld
    ? [
        { ...needAt(call, call, file, isApart), ambient: library },
        ...own.filter((need) => !joinsAmbient(need, library)),
      ]
    : own;
}

/** Whether a need goes over a transaction of a library around it without naming that. */
export function joinsAmbient(need: PoolNeed, { ambient, module }: Library): boolean {
  if (need.isApart || ambient === null) return false;
  return ambient.isJoinedBy === 'handles' || need.ambient?.module === module;
}

function needAt(node: Node, call: Request, file: SourceFile, isApart: boolean): PoolNeed {
  return {
    pool: { node, file },
    isApart,
    ambient: undefined,
    unlessGiven: [],
    onlyGiven: [],
    joins: false,
    unsent: undefined,
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
  absent: readonly Node[] = [],
): readonly PoolNeed[] {
  return needsOf({ call, file, resolver, fn: undefined, absent })
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
    .filter((need) => isOwn(need, fn, resolver))
    .sort(byDistance);
}

/** The pools whose clients a call has while it calls back: what its callbacks need for themselves is not among them. */
export function poolsHeldBy(
  call: Request,
  file: SourceFile,
  resolver: Resolver,
): readonly PoolNeed[] {
  const handle =
    call.type === 'CallExpression'
      ? (holdingBy(call, file, resolver) ?? beginningCall(call, file, resolver))?.handle
      : undefined;
  return handle
    ? [needAt(handle, call, file, false)]
    : ownNeedsOf({ call, file, resolver, fn: undefined });
}

function needsOf(caller: Caller): readonly PoolNeed[] {
  return [...ownNeedsOf(caller), ...needsOfCallbacks(caller)];
}

function ownNeedsOf(caller: Caller): readonly PoolNeed[] {
  const { call, file, resolver } = caller;
  const asked = poolAsked(call, file, resolver);
  if (asked !== undefined)
    return [{ ...needAt(call, call, file, asked.isApart), pool: asked.pool }];
  const ofHandle = takingCall(call, file, resolver);
  if (ofHandle !== undefined) return needOfHandle(ofHandle, caller);
  const callee = askedBy(call);
  const value = resolver.abstractValueOf(callee, file);
  if (value?.kind !== 'function' || call.type !== 'CallExpression') return [];
  const own = needsInside(value, callee, caller, undefined) ?? [];
  return own.flatMap((need) => forCaller(need, value, { ...caller, call }) ?? []);
}

/** What a call that runs a transaction comes to; a query is none. */
function holdingOf({ library }: HandleCall, { call, file, resolver }: Caller): Holding | undefined {
  return library.ambient === null ? undefined : holdingBy(call, file, resolver);
}

/** A transaction of a data source itself. */
function isOfDataSource({ handle, sends }: HandleCall, { file, resolver }: Caller): boolean {
  return !sends && resolver.abstractValueOf(handle, file)?.kind === 'pool';
}

/** What a call of a library takes, unless it learns of a connection. */
function needOfHandle(asked: HandleCall, caller: Caller): readonly PoolNeed[] {
  const { handle, library, mayBeLent, told } = asked;
  const { call, file, resolver, fn } = caller;
  const holding = holdingOf(asked, caller);
  const isUnsent = library.isLazy && waitFor(call) === 'given back';
  if (isUnsent && isInAnother(call, fn)) return [];
  const need = {
    ...needAt(handle, call, file, holding?.isApart ?? isOfDataSource(asked, caller)),
    ambient: holding?.library,
    joins: told.kind !== 'none' && joinsTransaction(asked, file, resolver),
    unsent: isUnsent ? library : undefined,
    mayBeLent,
  };
  return told.kind === 'some' && !isAbsent(told, caller) ? unlessTold(need, told, caller) : [need];
}

/** What is left of the need of a query that learns of a connection. */
function unlessTold(
  need: PoolNeed,
  told: Told & { readonly kind: 'some' },
  { file, resolver, fn }: Caller,
): readonly PoolNeed[] {
  if (isOwnHandle(told.node, file, resolver)) return [{ ...need, pool: { node: told.node, file } }];
  const served = servedBy(told, fn, file);
  return served === undefined ? [] : [{ ...need, unlessGiven: [served] }];
}

function isInAnother(call: Request, fn: FunctionNode | undefined): boolean {
  return fn !== undefined && findAncestor(call, isFunction) !== fn;
}

/** `User.query(User.knex())`: what it learns of is the pool. */
function isOwnHandle(node: Node, file: SourceFile, resolver: Resolver): boolean {
  const handle = handleAt(node, file, resolver);
  return (
    handle !== undefined &&
    handle.mayBeLent !== true &&
    node.type !== 'SpreadElement' &&
    !isParameterName(node, file)
  );
}

function needsOfCallbacks(caller: Caller): readonly PoolNeed[] {
  const { call, file, resolver } = caller;
  if (call.type !== 'CallExpression') return [];
  const value = resolver.abstractValueOf(call.callee, file);
  const needsOf = (fn: KnownFunction): readonly PoolNeed[] =>
    (needsInside(fn, call.callee, caller, undefined) ?? []).filter((need) =>
      isOwn(need, fn, resolver),
    );
  if (value?.kind === 'function')
    return functionsCalledBack(call, value, { resolver, file })
      .flatMap(needsOf)
      .map((need) => ({ ...need, via: throughFunction(value, need.via) }));
  return takingCall(call, file, resolver) === undefined
    ? thunksGiven(call, file).flatMap((node) => needsOf({ kind: 'function', node, file }))
    : [];
}

/** A need of a function as its caller has it; undefined when the caller gives something that serves instead, or does not send it. */
function forCaller(
  need: PoolNeed,
  callee: KnownFunction,
  caller: Caller & { readonly call: TSESTree.CallExpression },
): PoolNeed | undefined {
  const { call, file, resolver } = caller;
  const wait = need.unsent === undefined ? 'waited for' : waitBehind(call, need.unsent);
  const unlessGiven = needUnless(need.unlessGiven, call, caller);
  const onlyGiven = neededGiven(need.onlyGiven, call, caller);
  if (wait === 'dropped' || unlessGiven === undefined || onlyGiven === undefined) return undefined;
  if (isMadeAnew(resolver.abstractValueOf(need.pool.node, need.pool.file), callee))
    return undefined;
  const pool = poolGiven(need.pool, call, callee, { resolver, file });
  const mayBeLent = mayBeLentAs(pool, need, resolver);
  const unsent = wait === 'given back' ? need.unsent : undefined;
  return pool && { ...need, pool, unlessGiven, onlyGiven, unsent, mayBeLent };
}
