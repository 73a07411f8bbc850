import type { Edge, Graph, Point } from './graph.ts';

/** A fact that holds at a point, and how it came to hold there. */
export interface State<Fact> {
  readonly point: Point;
  readonly fact: Fact;
  readonly from: State<Fact> | null;
  /** The edge taken from `from`; null at the entry. */
  readonly via: Edge | null;
}

export interface Problem<Fact> {
  readonly initial: Fact;
  /** What holds after the point's operation when control leaves over this edge; nothing when it cannot. */
  transfer(fact: Fact, point: Point, edge: Edge): readonly Fact[];
  /** Equal keys mean equal facts. */
  keyOf(fact: Fact): string;
  /** The fact without what nothing behind this point asks for. Called where facts begin to multiply, and for those that are large. */
  forget?(fact: Fact, point: Point): Fact;
  /** Whether a fact holds so much that looking for what is no longer needed costs less than carrying it on. */
  isLarge?(fact: Fact): boolean;
}

export interface Exploration<Fact> {
  /** Every fact at every point, in the order of their distance from the entry. */
  readonly states: readonly State<Fact>[];
  /** At points that lead nowhere, one for each state before them: which way leads there is told apart. */
  readonly ends: readonly State<Fact>[];
  /** False when a limit was met: something may be missing, so nothing may be concluded. */
  readonly isComplete: boolean;
}

/** More states are not explored, unless somebody allows fewer. */
export const maximalStates = 60_000;
const maximalFactsPerPoint = 256;
/** From so many on, what is no longer needed is looked for; before, looking would cost more than it saves. */
const manyFacts = 4;

/**
 * Finds all facts that can hold at each point: a breadth-first worklist over pairs of point and fact. Facts are not merged
 * where paths meet, so correlated tests (`if (client) client.release()`) stay correlated, and the way back along `from` is
 * a shortest path.
 */
export function explore<Fact extends object>(
  graph: Graph,
  problem: Problem<Fact>,
  mostStates = maximalStates,
): Exploration<Fact> {
  const seen = new Map<Point, Set<string>>();
  const states: State<Fact>[] = [];
  const ends: State<Fact>[] = [];
  const keyOf = rememberKeys(problem);
  let isComplete = true;
  const visit = (point: Point, fact: Fact, from: State<Fact> | null, via: Edge | null): void => {
    const keys = seen.get(point) ?? new Set<string>();
    seen.set(point, keys);
    const mayForget = keys.size >= manyFacts || problem.isLarge?.(fact) === true;
    const kept = mayForget && problem.forget !== undefined ? problem.forget(fact, point) : fact;
    if (point.edges.length === 0) ends.push({ point, fact: kept, from, via });
    const key = keyOf(kept);
    if (keys.has(key)) return;
    isComplete &&= keys.size < maximalFactsPerPoint && states.length < mostStates;
    keys.add(key);
    states.push({ point, fact: kept, from, via });
  };
  visit(graph.entry, problem.initial, null, null);
  // The list grows while it is read: it is the worklist.
  for (const state of states) {
    // What is found behind a limit would count for nothing.
    if (!isComplete) break;
    for (const edge of state.point.edges) {
      for (const fact of problem.transfer(state.fact, state.point, edge))
        visit(edge.to, fact, state, edge);
    }
  }
  return { states, ends, isComplete };
}

/** Most operations change nothing, and hand on the very fact that they were given. */
function rememberKeys<Fact extends object>(problem: Problem<Fact>): (fact: Fact) => string {
  const known = new WeakMap<Fact, string>();
  return (fact) => {
    const before = known.get(fact);
    if (before !== undefined) return before;
    const key = problem.keyOf(fact);
    known.set(fact, key);
    return key;
  };
}

/** The states from the entry to this one. */
export function pathTo<Fact>(state: State<Fact>): readonly State<Fact>[] {
  const path: State<Fact>[] = [];
  for (let each: State<Fact> | null = state; each !== null; each = each.from) path.push(each);
  return path.reverse();
}
