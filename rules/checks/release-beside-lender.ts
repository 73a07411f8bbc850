import type { State } from '../flow/explore.ts';
import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { removeRelease } from '../fixes/remove-release.ts';
import { lastRelease, seenFrom } from './after-release.ts';
import type { Finding } from './finding.ts';
import { stepAt, stepOf } from './path-step.ts';

/** A callback releases the client that it was lent, and the function that lent it does so once more when the callback has ended. */
export function findReleasesBesideLender(checkout: Checkout, file: SourceFile): readonly Finding[] {
  const { lender, driver } = checkout.acquisition;
  if (lender === undefined || driver.secondRelease === null || !checkout.exploration.isComplete)
    return [];
  const again = { exit: lender.onReturn, 'throw-exit': lender.onThrow };
  const releases = checkout.exploration.states.flatMap((state) => {
    const { kind } = state.point;
    const isAgain = (kind === 'exit' || kind === 'throw-exit') && again[kind];
    return isAgain ? releaseOn(state, checkout) : [];
  });
  return [...new Set(releases)].map((release) => describe(checkout, release, file));
}

function releaseOn(end: State<Fact>, checkout: Checkout): readonly Node[] {
  if (end.fact.status !== 'released' || end.fact.followsImplicitThrow) return [];
  const release = lastRelease(end, checkout);
  return release === undefined ? [] : [seenFrom(release.node, release.state.point, checkout.graph)];
}

function describe(
  { acquisition: { call, poolText, driver } }: Checkout,
  release: Node,
  file: SourceFile,
): Finding {
  return {
    rule: 'no-double-release',
    messageId: 'lenderReleases',
    data: { lender: poolText },
    place: release.loc,
    steps: [
      stepAt(call, `${poolText} passes a client to the callback.`),
      stepOf(release, file, 'releases it.'),
      stepAt(
        call,
        `${poolText} releases it again when the callback has ended: this ${driver.secondRelease ?? ''}, or takes the client from its next user.`,
      ),
    ],
    suggestions: removeRelease(release, file),
  };
}
