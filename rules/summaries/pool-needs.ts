import type { TSESTree } from '@typescript-eslint/types';
import { type FunctionNode, type Node, isFunction } from '../syntax/node.ts';
import { acquireNames, drivers, methods, queryNames } from '../model/drivers.ts';
import { executorOf, isGivenAt, neededWithout } from '../values/executor.ts';
import { isDropped } from '../syntax/is-dropped.ts';
import { mention } from '../syntax/mention.ts';
import type { Resolver } from '../values/resolver.ts';
import { functionsCalledBack, isParameterOf, poolGiven } from './pool-given.ts';
import type { Place } from '../values/same-pool.ts';
import { walk } from '../syntax/preorder.ts';
import { memberName, parentOf, variableOf, type SourceFile } from '../syntax/source-file.ts';

/** A call needs a client of a pool: itself, or several calls away. */
export interface PoolNeed {
  /** The expression that names the pool where the client is asked for. */
  readonly pool: Place;
  /** The index of the parameter that would serve instead, as in `db = client ?? pool`; -1 when there is none. */
  readonly unlessGiven: number;
  /** The functions between the call and the pool, outermost first. */
  readonly via: readonly {
    readonly text: string;
    readonly node: Node;
    readonly file: SourceFile;
  }[];
}

export type PoolNeeds = (call: TSESTree.CallExpression, file: SourceFile) => readonly PoolNeed[];

/** The parameter of the caller that is passed on as it is. */
function forwardedIndex(
  argument: Node | undefined,
  caller: FunctionNode,
  file: SourceFile,
): number {
  if (argument?.type !== 'Identifier') return -1;
  const declared: unknown = variableOf(file, argument)?.identifiers[0];
  return caller.params.findIndex(
    (param) => (param.type === 'AssignmentPattern' ? param.left : param) === declared,
  );
}

const maximalDepth = 5;
const maximalNeeds = 12;

/** Says which pools a call takes a client from. What a function needs is looked up once; a function that calls itself adds nothing. */
export function createPoolNeeds(resolver: Resolver): PoolNeeds {
  const known = new WeakMap<FunctionNode, readonly PoolNeed[]>();
  let depth = 0;
  const ofCall = (
    call: TSESTree.CallExpression,
    file: SourceFile,
    caller?: FunctionNode,
  ): readonly PoolNeed[] => {
    const { callee } = call;
    if (callee.type === 'MemberExpression' && asksPool(call, callee, resolver, file))
      return [{ pool: { node: callee.object, file }, unlessGiven: -1, via: [] }];
    const entity = resolver.entityOf(callee, file);
    if (entity?.kind !== 'function') return [];
    const step = { text: mention(callee, file).slice(1, -1), node: entity.node, file: entity.file };
    const own = ofFunction(entity.node, entity.file).flatMap((need) => {
      const unlessGiven =
        caller === undefined ? -1 : forwardedIndex(call.arguments[need.unlessGiven], caller, file);
      if (unlessGiven === -1 && isGivenAt(call, need.unlessGiven, entity.node)) return [];
      const pool = poolGiven(need.pool, call, entity, { resolver, file });
      return pool === undefined ? [] : [{ ...need, pool, unlessGiven, via: [step, ...need.via] }];
    });
    const given = functionsCalledBack(call, entity, { resolver, file }).flatMap((fn) =>
      ofFunction(fn.node, fn.file).filter(({ pool }) => !isParameterOf(pool, fn)),
    );
    return [
      ...own,
      ...given.map((need) => ({ ...need, unlessGiven: -1, via: [step, ...need.via] })),
    ];
  };
  const ofFunction = (fn: FunctionNode, file: SourceFile): readonly PoolNeed[] => {
    const before = known.get(fn);
    if (before !== undefined) return before;
    if (depth >= maximalDepth) return [];
    known.set(fn, []);
    depth++;
    const unlessGiven = executorOf(fn, file);
    const needs = callsIn(fn, file).flatMap((call) => {
      const served = neededWithout(call, fn, file);
      const instead = served === -1 ? unlessGiven : served;
      return ofCall(call, file, fn).map((need) =>
        instead === -1 ? need : { ...need, unlessGiven: instead },
      );
    });
    depth--;
    const found = needs.slice(0, maximalNeeds);
    known.set(fn, found);
    return found;
  };
  return (call, file) => ofCall(call, file);
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
  if (entity === undefined)
    return (
      name === methods.query ||
      (name === methods.acquire && call.arguments.length < 2) ||
      drivers.some(({ acquire, isUnmistakable }) => isUnmistakable && acquire === name)
    );
  const pool = entity.kind === 'either' ? entity.pool : entity;
  return (
    pool.kind === 'pool' && (pool.driver.acquire === name || pool.driver.queries.includes(name))
  );
}

/** The calls that a function makes and waits for, those in the functions that it gives to array methods and chains among them. */
function callsIn(fn: FunctionNode, file: SourceFile): readonly TSESTree.CallExpression[] {
  const calls: TSESTree.CallExpression[] = [];
  walk(file, fn.body, (node) => {
    if (isFunction(node)) return runsAtOnce(node);
    if (node.type === 'CallExpression' && !isDropped(node)) calls.push(node);
    return true;
  });
  return calls;
}

const runners: ReadonlySet<string> = new Set([
  'map',
  'flatMap',
  'reduce',
  'then',
  'catch',
  'finally',
]);

function runsAtOnce(fn: FunctionNode): boolean {
  const up = parentOf(fn);
  return (
    up?.type === 'CallExpression' &&
    up.callee.type === 'MemberExpression' &&
    runners.has(memberName(up.callee) ?? '')
  );
}
