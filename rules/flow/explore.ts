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
}

export interface Exploration<Fact> {
  /** Every fact at every point, in the order of their distance from the entry. */
  readonly states: readonly State<Fact>[];
  /** False when a limit was met: something may be missing, so nothing may be concluded. */
  readonly isComplete: boolean;
}

const maximalStates = 60_000;
const maximalFactsPerPoint = 96;

/**
 * Finds all facts that can hold at each point: a breadth-first worklist over pairs of point and fact. Facts are not merged
 * where paths meet, so correlated tests (`if (client) client.release()`) stay correlated, and the way back along `from` is
 * a shortest path.
 */
export function explore<Fact>(graph: Graph, problem: Problem<Fact>): Exploration<Fact> {
  const seen = new Map<Point, Set<string>>();
  const states: State<Fact>[] = [];
  let isComplete = true;
  const visit = (state: State<Fact>): void => {
    const keys = seen.get(state.point) ?? new Set<string>();
    seen.set(state.point, keys);
    const key = problem.keyOf(state.fact);
    if (keys.has(key)) return;
    if (keys.size >= maximalFactsPerPoint || states.length >= maximalStates) {
      isComplete = false;
      return;
    }
    keys.add(key);
    states.push(state);
  };
  visit({ point: graph.entry, fact: problem.initial, from: null, via: null });
  // The list grows while it is read: it is the worklist.
  for (const state of states) {
    for (const edge of state.point.edges) {
      for (const fact of problem.transfer(state.fact, state.point, edge)) visit({ point: edge.to, fact, from: state, via: edge });
    }
  }
  return { states, isComplete };
}

/** The states from the entry to this one. */
export function pathTo<Fact>(state: State<Fact>): readonly State<Fact>[] {
  const path: State<Fact>[] = [];
  for (let each: State<Fact> | null = state; each !== null; each = each.from) path.push(each);
  return path.reverse();
}
