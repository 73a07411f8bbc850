import { pathTo, type State } from '../flow/explore.ts';
import type { Node } from '../syntax/node.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { releasingCall, seenFrom } from './after-release.ts';

/** A way on which the client went back to the pool in some state that it should not be in. */
export interface KeptRelease {
  /** The call that gives it back, as the graph's own function sees it. */
  readonly release: Node;
  /** The states from the entry to the one right after the release. */
  readonly path: readonly State<Fact>[];
}

/** The shortest ways to releases behind which a fact still tells of such a state; those over exceptions that hardly ever happen are left out. */
export function keptReleases(
  checkout: Checkout,
  isLeft: (fact: Fact) => boolean,
): readonly KeptRelease[] {
  const { marked, isComplete, isSampled } = checkout.exploration;
  if (!isComplete && !isSampled) return [];
  return marked.flatMap((state) => {
    const { fact, from } = state;
    const node = from?.point.node ?? null;
    if (fact.followsImplicitThrow || !isLeft(fact) || from === null || node === null) return [];
    return [
      {
        release: seenFrom(releasingCall(node, from, checkout), from.point, checkout.graph),
        path: pathTo(state),
      },
    ];
  });
}

/** The index of the first state that holds what `test` asks for and goes on doing so to the end of a path; -1 when the path begins so. */
export function sinceWhen(path: readonly State<Fact>[], test: (fact: Fact) => boolean): number {
  const before = path.findLastIndex(({ fact }) => !test(fact));
  return before === -1 ? -1 : before + 1;
}
