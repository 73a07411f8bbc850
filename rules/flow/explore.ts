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
  readonly keyOf: (fact: Fact) => string;
  /** The fact without what nothing behind this point asks for. Called where facts begin to multiply, and for those that are large. */
  forget?(fact: Fact, point: Point): Fact;
  /**
   * What sets a fact apart from others, one text for each thing that is known in it. Where there are too many facts, a point keeps
   * one for each part, so that their number grows with the parts and not with their combinations.
   */
  readonly partsOf?: (fact: Fact) => readonly string[];
  /** Whether every step from one such fact to another is kept in `marked`. */
  marks?(before: Fact, after: Fact): boolean;
  /** Whether a fact holds so much that looking for what is no longer needed costs less than carrying it on. */
  isLarge?(fact: Fact): boolean;
}

export interface Exploration<Fact> {
  /** Every fact at every point, in the order of their distance from the entry. */
  readonly states: readonly State<Fact>[];
  /** The states after every step that the problem marks, also where an earlier step led to the same fact. */
  readonly marked: readonly State<Fact>[];
  /** At points that lead nowhere, one for each state before them: which way leads there is told apart. */
  readonly ends: readonly State<Fact>[];
  /** False when a limit was met: something may be missing, so nothing may be concluded. */
  readonly isComplete: boolean;
  /** There were too many facts for all of them: those that are here hold on ways that exist, and others may be missing. */
  readonly isSampled: boolean;
}

/** More states are not explored, unless somebody allows fewer. */
export const maximalStates = 60_000;
const maximalFactsPerPoint = 256;
/** From so many on, what is no longer needed is looked for; before, looking would cost more than it saves. */
const manyFacts = 4;

/**
 * Finds all facts that can hold at each point: a breadth-first worklist over pairs of point and fact. Facts are not merged
 * where paths meet, so correlated tests (`if (client) client.release()`) stay correlated, and the way back along `from` is
 * a shortest path. Beyond a limit the same is done with a sample of the facts: none of them is made up.
 */
export function explore<Fact extends object>(
  graph: Graph,
  problem: Problem<Fact>,
  mostStates = maximalStates,
): Exploration<Fact> {
  const whole = visitAll(graph, problem, mostStates, byKeys(problem.keyOf));
  if (whole.isComplete || problem.partsOf === undefined) return { ...whole, isSampled: false };
  const sample = visitAll(graph, problem, mostStates, byParts(problem.partsOf));
  return { ...sample, isComplete: false, isSampled: sample.isComplete };
}

/** How facts are told apart by texts, of which each point has those that were seen there. */
interface Telling<Fact> {
  /** Whether a fact is to be followed from a point: it is not like those that were there before. */
  isNew(fact: Fact, seen: Set<string>): boolean;
  /** Whether it is worth while to look for what is no longer needed. */
  mayForget(seen: ReadonlySet<string>): boolean;
  isFull(seen: ReadonlySet<string>): boolean;
}

function byKeys<Fact extends object>(of: (fact: Fact) => string): Telling<Fact> {
  const keyOf = remember(of);
  return {
    isNew: (fact, keys) => keys.size < keys.add(keyOf(fact)).size,
    mayForget: (keys) => keys.size >= manyFacts,
    isFull: (keys) => keys.size > maximalFactsPerPoint,
  };
}

function byParts<Fact extends object>(of: (fact: Fact) => readonly string[]): Telling<Fact> {
  const partsOf = remember(of);
  return {
    isNew(fact, parts) {
      const before = parts.size;
      for (const part of partsOf(fact)) parts.add(part);
      return parts.size > before;
    },
    // Each part that is left may cost one fact more.
    mayForget: () => true,
    isFull: () => false,
  };
}

function visitAll<Fact extends object>(
  graph: Graph,
  problem: Problem<Fact>,
  mostStates: number,
  telling: Telling<Fact>,
): Omit<Exploration<Fact>, 'isSampled'> {
  const seenAt = graph.points.map((): Set<string> | undefined => undefined);
  const states: State<Fact>[] = [];
  const ends: State<Fact>[] = [];
  const marked: State<Fact>[] = [];
  let isComplete = true;
  const visit = (point: Point, fact: Fact, from: State<Fact> | null, via: Edge | null): void => {
    const seen = (seenAt[point.id] ??= new Set());
    const mayForget = telling.mayForget(seen) || problem.isLarge?.(fact) === true;
    const kept = mayForget && problem.forget !== undefined ? problem.forget(fact, point) : fact;
    const state = { point, fact: kept, from, via };
    if (point.edges.length === 0) ends.push(state);
    if (isMarked(problem, from, fact)) marked.push(state);
    if (!telling.isNew(kept, seen)) return;
    isComplete &&= !telling.isFull(seen) && states.length < mostStates;
    states.push(state);
  };
  visit(graph.entry, problem.initial, null, null);
  // The list grows while it is read: it is the worklist.
  for (const state of states) {
    // What is found after a limit would count for nothing.
    if (!isComplete) break;
    for (const edge of state.point.edges) {
      for (const fact of problem.transfer(state.fact, state.point, edge))
        visit(edge.to, fact, state, edge);
    }
  }
  return { states, marked, ends, isComplete };
}

function isMarked<Fact>(problem: Problem<Fact>, from: State<Fact> | null, after: Fact): boolean {
  return from !== null && problem.marks?.(from.fact, after) === true;
}

/** Most operations change nothing, and hand on the very fact that they were given. */
function remember<Fact extends object, Told>(tell: (fact: Fact) => Told): (fact: Fact) => Told {
  const known = new Map<Fact, Told>();
  return (fact) => {
    const before = known.get(fact);
    if (before !== undefined) return before;
    const told = tell(fact);
    known.set(fact, told);
    return told;
  };
}

/** The states from the entry to this one. */
export function pathTo<Fact>(state: State<Fact>): readonly State<Fact>[] {
  const path: State<Fact>[] = [];
  for (let each: State<Fact> | null = state; each !== null; each = each.from) path.push(each);
  return path.reverse();
}
