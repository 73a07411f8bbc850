import type { Checkout } from '../typestate/checkout.ts';
import type { Finding } from './finding.ts';
import { findAccidentalDestroys } from './accidental-destroy.ts';
import { findConcurrentOverHandle, findConcurrentQueries } from './concurrent-queries.ts';
import { findClientsInLists } from './clients-in-lists.ts';
import { findDoubleReleases } from './double-release.ts';
import { findEndedClients } from './ended-client.ts';
import { findListenerLeaks } from './listener-leak.ts';
import type { Analysis } from './analysis.ts';
import { debugging } from './debugging.ts';
import { createFollower } from '../summaries/follower.ts';
import { findEventLeak } from './released-by-events.ts';
import { findReleasesBesideLender } from './release-beside-lender.ts';
import { findSlowAwaits } from './held-through.ts';
import { findFloatingQueries } from './floating-queries.ts';
import { findConnectionTimeouts } from './connection-timeout.ts';
import { findLeak, findLeakInFront } from './leaks.ts';
import { findListenersAtAcquire } from './listeners-at-acquire.ts';
import { oneFindingEach } from './one-cause.ts';
import { poolLimits } from './connection-timeout.ts';
import { helperOf } from './release-code.ts';
import { findOwningListeners } from './double-release.ts';
import { findPoolsPerRequest } from './pool-per-request.ts';
import { findSharedClients } from './shared-client.ts';
import { findSingleQueries } from './single-query.ts';
import { findUnheardErrors } from './unheard-errors.ts';
import { findHeldElsewhere } from './held-elsewhere.ts';
import { findNestedCheckouts } from './nested-checkout.ts';
import { type ModuleReader, pathInProject } from '../project/module-reader.ts';
import { findCommitsOnThrow } from './committed-on-throw.ts';
import { findLostConnections, findOutOfReach } from './out-of-reach.ts';
import { findUnsettledQueries } from './unsettled.ts';
import { findOpenTransactions, keepsTransaction } from './open-transaction.ts';
import { findSwallowedRollbacks } from './failed-rollback.ts';
import { findTransactionsOnPool } from './session/transaction-on-pool.ts';
import { findUsesAfterRelease } from './use-after-release.ts';
import { knowingPostgresqlOnly } from '../values/postgresql-only.ts';
import { createResolver } from '../values/create-resolver.ts';
import type { Here } from '../values/resolver.ts';
import { isTestPath } from '../model/test-files.ts';
import { findUnknownSettings, type Settings } from './session/pooler-setting.ts';
import { findLibraryState } from './session/library-state.ts';
import { findSessionState } from './session/session-state.ts';
import { findStartupParameters } from './session/startup-parameters.ts';
import { suggestPoolerSetting } from './session/pooler-hints.ts';
import { plainPlace } from '../syntax/excerpt.ts';
import type { Place } from '../syntax/place.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { withLineBreaksOf } from '../fixes/lines.ts';
import { mendLeak } from '../fixes/mend-leak.ts';
import { keepComments } from '../fixes/edits.ts';
import type { Suggestion } from '../fixes/suggestion.ts';
import { verdictsOn, verdictText } from './verdicts.ts';

function writeVerdicts(checkouts: readonly Checkout[], here: Here): void {
  process.stderr.write(
    verdictsOn(checkouts, here)
      .map((each) => `poolguard: ${verdictText(here.file.path, each)}\n`)
      .join(''),
  );
}

/** Gives the findings of one kind; of several at one place that a judge gives for one rule, the last stays. */
type Judge = (analysis: Analysis) => readonly Finding[];

/** Of each checkout, with what its messages say of the pool. */
function ofEach(find: (checkout: Checkout, analysis: Analysis) => readonly Finding[]): Judge {
  return (analysis) =>
    analysis.checkouts.flatMap((checkout) => {
      const found = find(checkout, analysis);
      if (found.length === 0) return [];
      const limits = poolLimits(checkout, analysis);
      return found.map((finding) => ({ ...finding, data: { ...limits, ...finding.data } }));
    });
}

/** What holds for any pool. */
const judgesOfAnyPool: readonly Judge[] = [
  ofEach(findReleaseMistakes),
  ofEach(findClientsInLists),
  ofEach(findNestedCheckouts),
  ofEach(findSlowAwaits),
  (analysis) =>
    analysis.checkouts
      .filter(keepsTransaction)
      .flatMap((checkout) => findOpenTransactions(checkout, analysis)),
  ({ checkouts, file }) => checkouts.flatMap((checkout) => findCommitsOnThrow(checkout, file)),
  ({ checkouts, file }) => checkouts.flatMap((checkout) => findOutOfReach(checkout, file)),
  findHeldElsewhere,
  findConcurrentOverHandle,
  findLibraryState,
];

/** What is known of PostgreSQL and its drivers only: other pools, and their clients, do not exist for these. */
const judges: readonly Judge[] = [
  (analysis) =>
    analysis.checkouts.flatMap((checkout) => findSwallowedRollbacks(checkout, analysis)),
  findTransactionsOnPool,
  findAccidentalDestroys,
  ofEach(findEndedClients),
  findConcurrentQueries,
  (analysis) => analysis.checkouts.flatMap((checkout) => findListenerLeaks(checkout, analysis)),
  findListenersAtAcquire,
  findLostConnections,
  findSharedClients,
  findPoolsPerRequest,
  findUnheardErrors,
  findSingleQueries,
  findConnectionTimeouts,
  ({ settings }) => findUnknownSettings(settings),
  findSessionState,
  findStartupParameters,
  suggestPoolerSetting,
];

/** What is followed in a file. `POOLGUARD_DEBUG=verdicts` also writes a line for each acquire to the standard error. */
export function analysisIn(file: SourceFile, reader: ModuleReader, settings: Settings): Analysis {
  const resolver = createResolver(reader, file);
  const all = createFollower(resolver, file).checkouts();
  if (debugging() === 'verdicts') writeVerdicts(all, { file, resolver });
  const borrowed = all.filter(({ acquisition }) => acquisition.mayBeBorrowed);
  const checkouts = all.filter((each) => !borrowed.includes(each));
  return { file, resolver, checkouts, borrowed, settings };
}

/** All findings of a file, of every rule. */
export function findingsIn(analysis: Analysis): readonly Finding[] {
  const { checkouts, borrowed, resolver } = analysis;
  const postgresql: Analysis = {
    ...analysis,
    checkouts: checkouts.filter(({ acquisition: { driver } }) => driver.database === 'postgresql'),
    resolver: knowingPostgresqlOnly(resolver),
  };
  const findings = [
    ...uniqueByPlace(ofEach(findReleaseMistakes)({ ...analysis, checkouts: borrowed })),
    ...judgesOfAnyPool.flatMap((judge) => uniqueByPlace(judge(analysis))),
    ...judges.flatMap((judge) => uniqueByPlace(judge(postgresql))),
  ];
  return oneFindingEach(findings, checkouts).map(toldIn(analysis));
}

/** As everybody reads it: with what is offered as the file writes its lines, and nothing that loses a comment. */
function toldIn({ file, resolver }: Here): (finding: Finding) => Finding {
  const isInTest = isTestPath(pathInProject(file, resolver.reader));
  const inLines = (suggestion: Suggestion): Suggestion => ({
    ...suggestion,
    edits: withLineBreaksOf(file.text, suggestion.edits),
  });
  return ({ suggestions = [], ...finding }) => ({
    ...finding,
    isInTest,
    place: plainPlace(finding.place),
    steps: finding.steps.map((step) => ({ ...step, place: plainPlace(step.place) })),
    suggestions: suggestions.filter(({ edits }) => keepComments(edits, file)).map(inLines),
  });
}

/**
 * A helper that works on a client that is back, and then releases it, does so by one mistake, which is reported as the work. A release
 * in the wrong place both comes too early for what follows and is missed on other ways: that is one mistake, and it is
 * reported where the harm is worse, at what happens to the client of somebody else. What leaks in front of the `try` that it stands in
 * is another one.
 */
function findReleaseMistakes(checkout: Checkout, analysis: Analysis): readonly Finding[] {
  const { checkouts, file, resolver } = analysis;
  const alike = checkouts.filter((each) => each !== checkout && isAlike(each, checkout));
  const uses = findUsesAfterRelease(checkout, analysis);
  const late = [
    ...findDoubleReleases(checkout, analysis).filter(
      ({ place }) => !uses.some((use) => isSamePlace(use.place, place)),
    ),
    ...findReleasesBesideLender(checkout, file),
    ...uses,
  ];
  const leak =
    checkout.acquisition.style === 'lent'
      ? undefined
      : late.length > 0
        ? findLeakInFront(checkout, analysis, alike)
        : (findLeak(checkout, analysis, alike) ?? findEventLeak(checkout, analysis));
  // A release beside a listener that releases, past a helper that does so, or of a client that may be somebody else's, is no cure.
  const isMended =
    !checkout.acquisition.mayBeBorrowed &&
    checkout.owningListeners.size === 0 &&
    helperOf(alike, checkout.acquisition.call, analysis) === undefined;
  return [
    ...(leak === undefined
      ? []
      : [{ ...leak, suggestions: isMended ? mendLeak(checkout, file, resolver) : [] }]),
    ...late,
    ...findOwningListeners(checkout, file),
    ...findUnsettledQueries(checkout, analysis),
    ...findFloatingQueries(checkout, analysis),
  ];
}

/** Both clients come from one function of the program. */
function isAlike({ acquisition: one }: Checkout, { acquisition: other }: Checkout): boolean {
  return one.isFromWrapper === true && one.poolText === other.poolText;
}

function isSamePlace(one: Place, other: Place): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function uniqueByPlace(findings: readonly Finding[]): readonly Finding[] {
  return [
    ...new Map(
      findings.map((finding) => [`${finding.rule} ${JSON.stringify(finding.place)}`, finding]),
    ).values(),
  ];
}
