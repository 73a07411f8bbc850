import type { Node } from '../syntax/node.ts';
import { excerpt } from '../syntax/excerpt.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { createInterner } from '../typestate/interning.ts';
import type { KnownFunction } from '../typestate/outcome.ts';
import type { Resolver } from '../values/resolver.ts';
import { createTable } from './tabulation.ts';

/** A function on the way from a call to an effect. */
export interface Hop {
  /** As it is named where it is called. */
  readonly text: string;
  readonly node: Node;
  readonly file: SourceFile;
  /** Where it is called. */
  readonly callee: Node;
  /** Which row of the table it is. */
  readonly row: number;
}

/** Something that a call does, itself or several calls away. */
export interface Effect {
  readonly node: Node;
  readonly file: SourceFile;
  /** The functions between the call and the effect, outermost first. */
  readonly via: readonly Hop[];
}

/** Where a function is called. */
interface Caller {
  readonly file: SourceFile;
  readonly resolver: Resolver;
}

/** What has effects when it is called, or made. */
interface Called {
  readonly node: Node;
  readonly file: SourceFile;
}

/** What a function does when it is called as `callee` with an entry; undefined when that is not known. */
export type EffectsOf<Found extends Effect, Entry, Body extends Called = KnownFunction> = (
  fn: Body,
  callee: Node,
  caller: Caller,
  entry: Entry,
) => readonly Found[] | undefined;

/** One kind of effect, and how functions pass it on to their callers. */
interface Kind<Found extends Effect, Entry, Body> {
  /** The effects of a body: its own, and those of the functions that it calls, in its own terms. Undefined where not all of them are known that matter. */
  readonly effectsIn: (fn: Body, entry: Entry, resolver: Resolver) => readonly Found[] | undefined;
  /** All of an entry that matters, as parts that are compared by identity. */
  readonly partsOf?: (entry: Entry) => readonly unknown[];
  /** Effects with equal parts are one, and the nearest stays; without parts one is enough. */
  readonly identityOf?: (effect: Found, resolver: Resolver) => readonly unknown[];
}

interface Question<Entry, Body> {
  readonly row: number;
  readonly fn: Body;
  readonly entry: Entry;
}

/** So many functions are looked into for one question; what lies further is unknown. */
const mostFunctions = 1_000;
/** A function with more effects of one kind is unknown. */
const mostEffects = 1_000;

/**
 * Function summaries of one kind of effect, for chains of calls of any length: each function's are found once for each entry,
 * and where functions call each other, when nothing is added any more.
 */
export function createEffects<Found extends Effect, Entry, Body extends Called = KnownFunction>(
  kind: Kind<Found, Entry, Body>,
): EffectsOf<Found, Entry, Body> {
  const byResolver = new WeakMap<Resolver, EffectsOf<Found, Entry, Body>>();
  return (fn, callee, caller, entry) => {
    const effectsOf = byResolver.get(caller.resolver) ?? effectsFor(kind, caller.resolver);
    byResolver.set(caller.resolver, effectsOf);
    return effectsOf(fn, callee, caller, entry);
  };
}

function effectsFor<Found extends Effect, Entry, Body extends Called>(
  kind: Kind<Found, Entry, Body>,
  resolver: Resolver,
): EffectsOf<Found, Entry, Body> {
  const [rowOf, idOf] = [createInterner(), createInterner()];
  const table = createTable<Question<Entry, Body>, ReadonlyMap<number, Found> | undefined>({
    least: new Map(),
    unknown: undefined,
    mostQuestions: mostFunctions,
    includes: (more, fewer) =>
      more === undefined ||
      (fewer !== undefined && [...fewer].every(([id, each]) => hasAsNear(more.get(id), each))),
    solve({ row, fn, entry }) {
      const found = kind.effectsIn(fn, entry, resolver);
      // What a function does again when it comes back to itself it has done already.
      const own = found?.filter(({ via }) => via.every((hop) => hop.row !== row)) ?? [];
      const nearest = nearestOf(own, (each) => idOf(kind.identityOf?.(each, resolver) ?? []));
      const isKnown = found !== undefined && nearest.size <= mostEffects;
      return { answer: isKnown ? nearest : undefined, work: 1 + own.length };
    },
  });
  return (fn, callee, { file }, entry) => {
    const row = rowOf([fn.node, ...(kind.partsOf?.(entry) ?? [entry])]);
    const found = table(row, { row, fn, entry });
    const text = excerpt(callee, file).slice(1, -1);
    const hop: Hop = { text, node: fn.node, file: fn.file, callee, row };
    return found && [...found.values()].map((each) => ({ ...each, via: [hop, ...each.via] }));
  };
}

function nearestOf<Found extends Effect>(
  effects: readonly Found[],
  idOf: (effect: Found) => number,
): ReadonlyMap<number, Found> {
  const nearest = new Map<number, Found>();
  for (const effect of effects) {
    const id = idOf(effect);
    if (!hasAsNear(nearest.get(id), effect)) nearest.set(id, effect);
  }
  return nearest;
}

function hasAsNear(one: Effect | undefined, other: Effect): boolean {
  return one !== undefined && byDistance(one, other) <= 0;
}

/** Fewer calls first; as many in the order of the source. */
export function byDistance(one: Effect, other: Effect): number {
  return (
    one.via.length - other.via.length ||
    one.via.reduce(
      (order, { callee }, index) => order || between(callee, other.via[index]?.callee),
      0,
    ) ||
    between(one.node, other.node)
  );
}

function between(one: Node, other: Node | undefined): number {
  return one.range[0] - (other ?? one).range[0];
}

/** What a callback does is done by the function that calls it. */
export function throughFunction(
  { node, file }: KnownFunction,
  via: readonly Hop[],
): readonly Hop[] {
  return via.map((hop, index) => (index === 0 ? { ...hop, node, file } : hop));
}
