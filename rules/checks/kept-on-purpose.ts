import type { State } from '../flow/explore.ts';
import { constantText } from '../syntax/constants.ts';
import { runsOnce } from '../syntax/runs-once.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Fact } from '../typestate/facts.ts';
import { dirtySites, sitesOf } from '../typestate/leftovers.ts';
import type { Here } from '../values/resolver.ts';
import { fateAfter } from './failed-start.ts';

/**
 * Leaks without the ways on which the client is kept to listen, or to hold a lock for as long as the program runs. Where that failed,
 * it is lost, unless the failure ends the program.
 */
export function unintended(
  leaking: readonly State<Fact>[],
  checkout: Checkout,
  here: Here,
): readonly State<Fact>[] {
  const { exploration, graph, releases, owningListeners } = checkout;
  if (leaking.length === 0 || (releases > 0 && owningListeners.size === 0)) return leaking;
  const isKept = (state: State<Fact>): boolean => isKeptOnPurpose(state, checkout, here.file);
  const kept = exploration.states.filter(isKept);
  if (kept.length === 0) return leaking;
  const fate = fateAfter(graph.root, here);
  const isOurs = kept.every(({ fact }) => fact.status === 'held');
  const isReported = isOurs ? fate === 'goes on' : fate !== 'ends';
  return leaking.filter(
    (state) => !isKept(state) && (isReported || state.point.kind !== 'throw-exit'),
  );
}

function isKeptOnPurpose(
  { point, fact }: State<Fact>,
  { session, graph, owningListeners }: Checkout,
  file: SourceFile,
): boolean {
  if (point.kind !== 'exit' || (fact.status !== 'held' && fact.status !== 'escaped')) return false;
  const effects = dirtySites(fact).flatMap((site) => session.siteAt(site)?.effect ?? []);
  const isKeptForLock = owningListeners.size > 0 || runsOnce(graph.root, file);
  return (
    effects.includes('listen') ||
    hearsNotifications(fact, session) ||
    (effects.includes('advisory-lock') && isKeptForLock)
  );
}

/** `client.on('notification', …)`, whatever text makes it listen. */
function hearsNotifications(fact: Fact, session: Checkout['session']): boolean {
  return sitesOf(fact, 'listening').some((site) => {
    const [event] = session.siteAt(site)?.call.arguments ?? [];
    return event !== undefined && constantText(event) === 'notification';
  });
}
