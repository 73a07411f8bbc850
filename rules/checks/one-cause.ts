import type { Place } from '../syntax/place.ts';
import type { Checkout } from '../typestate/checkout.ts';
import type { Finding, PathStep } from './finding.ts';

/** A mistake whose cure ends others of the same checkout as well. */
interface Cause {
  readonly rule: string;
  readonly messageId: string;
  /** The kind of session state that it is about; any where none is given. */
  readonly effect?: string;
  /** Rules whose findings about the same checkout come of it, each with the messages that do; all of them for null. */
  readonly absorbs: Readonly<Record<string, readonly string[] | null>>;
}

const causes: readonly Cause[] = [
  // Queries of the pool need no client that somebody would have to release.
  {
    rule: 'no-unreleased-client',
    messageId: 'keptForAll',
    absorbs: {
      'no-unreleased-client': ['neverReleased', 'notReleasedOnSomePath', 'notReleasedOnThrow'],
      'require-pool-error-handler': null,
    },
  },
  // Whoever listens on a client of its own has no listener to take off. A leak beside it is a mistake of its own.
  {
    rule: 'no-session-state',
    messageId: 'atRelease',
    effect: 'listen',
    absorbs: { 'no-listener-leak': null },
  },
  {
    rule: 'no-session-state',
    messageId: 'listens',
    absorbs: { 'no-listener-leak': null },
  },
  // A release in place of the `end()` is what is missing.
  {
    rule: 'no-end-pooled-client',
    messageId: 'neverReleased',
    absorbs: { 'no-unreleased-client': null },
  },
];

/** One finding a mistake: what comes of another finding's cause becomes part of its path. */
export function oneFindingEach(
  findings: readonly Finding[],
  checkouts: readonly Checkout[],
): readonly Finding[] {
  const absorbed = new Set<Finding>();
  const told = findings.map((finding) => {
    const cause = causes.find((each) => isOf(finding, each));
    const acquire = cause && acquireOf(finding, checkouts);
    if (cause === undefined || acquire === undefined) return finding;
    const others = findings.filter((each) => isAbsorbed(each, cause) && isAbout(each, acquire));
    others.forEach((each) => absorbed.add(each));
    return { ...finding, steps: [...finding.steps, ...others.flatMap(stepsBeside(finding))] };
  });
  return told.filter((_, index) => !absorbed.has(findings[index] as Finding));
}

function isOf({ rule, messageId, data }: Finding, cause: Cause): boolean {
  return (
    rule === cause.rule &&
    messageId === cause.messageId &&
    (cause.effect === undefined || data['effect']?.split(' ').includes(cause.effect) === true)
  );
}

function isAbsorbed({ rule, messageId }: Finding, { absorbs }: Cause): boolean {
  const messages = Object.hasOwn(absorbs, rule) ? absorbs[rule] : [];
  return messages === null || messages?.includes(messageId) === true;
}

/** Where the client was taken over which the statement goes, or with which a path begins. */
function acquireOf({ place, steps }: Finding, checkouts: readonly Checkout[]): Place | undefined {
  const checkout = checkouts.find(
    ({ acquisition, session }) =>
      acquisition.call.loc === steps[0]?.place ||
      [...session.sent.keys()].some((call) => call.loc === place),
  );
  return checkout && checkout.acquisition.call.loc;
}

function isAbout({ place, steps }: Finding, acquire: Place): boolean {
  return place === acquire || steps[0]?.place === acquire;
}

/** What another finding tells after the acquire. */
function stepsBeside({ steps }: Finding): (other: Finding) => readonly PathStep[] {
  const places = steps.map(({ place }) => place);
  return (other) => other.steps.filter(({ place }) => !places.includes(place));
}
