import type { Takes } from './character-class.ts';
import type { Work } from './work.ts';

/** A pattern as states between which a path leads. Their number grows with the length of the pattern and no faster. */
export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  readonly goal: number;
}

export interface State {
  /** States that one gets to without a letter. */
  readonly skips: number[];
  /** The step that a letter makes. */
  step?: Step;
  /** Leads on after any part of a name but what this matches: `!(…)`. */
  except?: Exception;
}

interface Exception {
  readonly body: Pick<Automaton, 'start' | 'goal'>;
  readonly to: number;
}

export interface Step {
  readonly takes: Takes;
  readonly to: number;
  /** Whether it takes the dot of a hidden name: who spells the dot does, a wildcard does not. */
  readonly takesHidden: boolean;
}

export interface Reached {
  /** The lengths of the beginnings of the path that lead to the goal, in their order. */
  readonly lengths: readonly number[];
  /** Whether what follows the path may still lead there. */
  readonly isOpen: boolean;
}

interface Walk {
  readonly states: readonly State[];
  readonly path: string;
  readonly matchesDots: boolean;
  readonly work: Work;
  /** When each state was entered last: places are numbered in the order in which they are visited. */
  readonly enteredAt: Int32Array;
  visits: number;
  /** Where exceptions lead from the places at which they were met. */
  readonly exits: Map<string, readonly number[]>;
}

/**
 * Goes all ways through a path at once and none of them twice: at most as many steps as states times letters, and for each `!(…)` those of
 * a name once for each of its letters.
 */
export function reach(
  automaton: Automaton,
  path: string,
  matchesDots: boolean,
  work: Work,
): Reached {
  const { states } = automaton;
  const enteredAt = new Int32Array(states.length);
  const walk: Walk = { states, path, matchesDots, work, enteredAt, visits: 0, exits: new Map() };
  return follow(walk, automaton, 0, path.length);
}

const nowhere: Reached = { lengths: [], isOpen: false };

function follow(
  walk: Walk,
  { start, goal }: Pick<Automaton, 'start' | 'goal'>,
  from: number,
  end: number,
): Reached {
  const later = new Map<number, number[]>();
  const lengths: number[] = [];
  let open = [start];
  for (let at = from; at <= end; at += 1) {
    const visit = (walk.visits += 1);
    open.push(...(later.get(at) ?? []));
    later.delete(at);
    const steps = enter(walk, open, at, later);
    if (walk.work.left < 0) return nowhere;
    if (walk.enteredAt[goal] === visit) lengths.push(at);
    if (steps.length === 0 && later.size === 0) return { lengths, isOpen: false };
    if (at < end) open = stepOver(steps, walk.path.charCodeAt(at), isHidden(walk, at));
  }
  return { lengths, isOpen: true };
}

/** Enters states and all that they lead to without a letter; the steps that go on from there. `later` gets the states that exceptions lead to farther on. */
function enter(walk: Walk, open: number[], at: number, later: Map<number, number[]>): Step[] {
  const { states, enteredAt, visits, work } = walk;
  const steps: Step[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (enteredAt[next] === visits) continue;
    enteredAt[next] = visits;
    work.left -= 1;
    if (work.left < 0) return steps;
    const { skips, step, except } = states[next] as State;
    for (const skip of skips) open.push(skip);
    if (step !== undefined) steps.push(step);
    if (except !== undefined) open.push(...exitsAt(walk, next, except, at, later));
  }
  return steps;
}

function stepOver(steps: readonly Step[], code: number, isHidden: boolean): number[] {
  const open: number[] = [];
  for (const { takes, takesHidden, to } of steps)
    if (takes(code) && (takesHidden || !isHidden)) open.push(to);
  return open;
}

/** Whether wildcards pass by the name that begins here: `.env` unless they match dots, `.` and `..` always. */
function isHidden({ path, matchesDots }: Walk, at: number): boolean {
  if (path.charAt(at) !== '.' || (at > 0 && path.charAt(at - 1) !== '/')) return false;
  return !matchesDots || /^\.\.?(?:\/|$)/u.test(path.slice(at, at + 3));
}

/** Where an exception leads without a letter; the rest of its exits come later. */
function exitsAt(
  walk: Walk,
  state: number,
  { body, to }: Exception,
  at: number,
  later: Map<number, number[]>,
): readonly number[] {
  const exits = exitsOf(walk, state, body, at);
  walk.work.left -= exits.length;
  for (const exit of exits) {
    if (exit === at) continue;
    const waiting = later.get(exit);
    if (waiting === undefined) later.set(exit, [to]);
    else waiting.push(to);
  }
  return exits[0] === at ? [to] : [];
}

/** The places to which any part of a name leads but what `body` matches. */
function exitsOf(
  walk: Walk,
  state: number,
  body: Pick<Automaton, 'start' | 'goal'>,
  at: number,
): readonly number[] {
  const key = `${state} ${at}`;
  const known = walk.exits.get(key);
  if (known !== undefined) return known;
  const end = isHidden(walk, at) ? at : endOfName(walk.path, at);
  const excluded = new Set(follow(walk, body, at, end).lengths);
  const exits = Array.from({ length: end - at + 1 }, (_, index) => at + index);
  const found = exits.filter((exit) => !excluded.has(exit));
  walk.work.left -= exits.length;
  walk.exits.set(key, found);
  return found;
}

function endOfName(path: string, from: number): number {
  const end = path.indexOf('/', from);
  return end < 0 ? path.length : end;
}
