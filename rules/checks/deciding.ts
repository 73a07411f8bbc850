import type { TSESTree } from '@typescript-eslint/types';
import type { State } from '../flow/explore.ts';
import { isThrown, type Graph, type Point } from '../flow/graph.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { sinceAcquire } from '../typestate/leaking.ts';
import type { PathStep } from './finding.ts';
import { stepOf } from './path-step.ts';
import { leftBy } from './way-out.ts';

type Jump = TSESTree.BreakStatement | TSESTree.ContinueStatement;

/** What decides that the client is not released: a jump past the release, or the outcome of a test. */
export interface Decision {
  /** "the loop is left at line 7", behind an "if". */
  readonly words: string;
  readonly step: PathStep;
}

/** After the decision no way leads to a release any more, and before it one does. */
export function decisionOn(
  leak: State<Fact>,
  checkout: Checkout,
  file: SourceFile,
): Decision | undefined {
  const way = sinceAcquire(checkout, leak);
  const before = pointsBefore(releasingPoints(checkout), checkout.graph);
  const last = way.findLastIndex(({ point }) => before.has(point));
  const after = way[last + 1];
  const when = after?.via?.when;
  if (last === -1 || when === undefined || isThrown(when)) return undefined;
  const [jump] = way.slice(last + 1).flatMap(({ point }) => jumpOf(point) ?? []);
  if (jump !== undefined) return jumpAt(jump, file);
  const test = way[last]?.point.node;
  return test ? testAt(test, when, file) : undefined;
}

/** Where the client is released, or handed on. */
function releasingPoints({ exploration }: Checkout): readonly Point[] {
  const isGone = ({ status }: Fact): boolean =>
    status === 'released' || status === 'escaped' || status === 'returned';
  return exploration.states.flatMap(({ fact, from }) =>
    from !== null && isGone(fact) && !isGone(from.fact) ? [from.point] : [],
  );
}

/** The points from which control comes to one of these, if nothing throws. */
function pointsBefore(targets: readonly Point[], { points }: Graph): ReadonlySet<Point> {
  const leadingTo = new Map<Point, Point[]>();
  for (const point of points)
    for (const { to, when } of point.edges)
      if (!isThrown(when)) leadingTo.set(to, [...(leadingTo.get(to) ?? []), point]);
  // The set grows while it is read: it is the worklist.
  const before = new Set(targets);
  for (const point of before) for (const each of leadingTo.get(point) ?? []) before.add(each);
  return before;
}

function jumpOf({ kind, node }: Point): Jump | undefined {
  return kind === 'eval' && (node?.type === 'BreakStatement' || node?.type === 'ContinueStatement')
    ? node
    : undefined;
}

function jumpAt(jump: Jump, file: SourceFile): Decision {
  const isSwitch = leftBy(jump)?.type === 'SwitchStatement';
  const loop = jump.type === 'ContinueStatement' ? 'the iteration' : 'the loop';
  const what = isSwitch ? 'the `switch`' : loop;
  return {
    words: `${what} is left at line ${jump.loc.start.line}`,
    step: stepOf(jump, file, `leaves ${what}.`),
  };
}

function testAt(test: Node, when: string, file: SourceFile): Decision | undefined {
  if (when !== 'true' && when !== 'false') return undefined;
  const { line } = test.loc.start;
  const outcome = when === 'true' ? 'true' : 'false';
  return {
    words: `the condition at line ${line} is ${outcome}`,
    step: stepOf(test, file, `is ${outcome}.`),
  };
}
