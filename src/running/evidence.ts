import type { CodePlace, HeldCheckout } from '../../monitor/report.ts';
import type { RepeatedMistake, RunningApp, RunningApps, RunningPool } from './running-app.ts';

export const evidenceKinds = [
  'held',
  'never-returned',
  'double-release',
  'use-after-release',
  'open-transaction',
] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

/** What was seen of one line of the code while it ran, over all processes and threads of an application. Plain data, which goes to the language server. */
export interface Evidence {
  /** Stays the same while the same thing is seen of the same line. */
  readonly key: string;
  readonly kind: EvidenceKind;
  /** Where it happens, and who called that: the innermost first, never empty. */
  readonly stack: readonly CodePlace[];
  /** Where the client of a mistake was acquired and released, the innermost place of each. */
  readonly related: readonly RelatedPlace[];
  /** Clients that are out, or how often a mistake was seen. */
  readonly count: number;
  /** How long the first of them is or was out, rounded down to a step, so that it changes seldom; 0 for a mistake. */
  readonly longestMs: number;
  /** Whether callers have been waiting for this pool look after look. */
  readonly isWaitedFor: boolean;
  readonly pool: string;
  readonly app: string;
  /** Of the application's processes in which this was seen; bounded, ascending. */
  readonly pids: readonly number[];
  /** When the first of them started, in milliseconds since 1970: a file that changed later is another one than the one that ran. */
  readonly startedAt: number;
  readonly hasEnded: boolean;
}

export interface RelatedPlace {
  readonly what: 'acquired' | 'released';
  readonly place: CodePlace;
}

/** What of a stack is looked at: the application's own code stands first. */
export const deepest = 8;
/** An application with more mistakes than this has one mistake. */
export const mostEvidence = 200;
export const mostPids = 8;

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const steps = [
  second,
  5 * second,
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
] as const;

/** The last step that a span has passed; 0 before the first. After a day each day is one. */
export function toStep(ms: number): number {
  if (ms >= day) return Math.floor(ms / day) * day;
  return steps.findLast((step) => step <= ms) ?? 0;
}

/** Milliseconds until some client of the applications is out for a step more; undefined while none is out. */
export function untilNextStep(apps: RunningApps, now: number): number | undefined {
  const waits = apps
    .filter(({ end }) => end === null)
    .flatMap(({ pools }) => pools)
    .flatMap(({ held }) => held)
    .map(({ since }) => {
      const out = Math.max(0, now - since);
      return (steps.find((step) => step > out) ?? toStep(out) + day) - out;
    });
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** One thing seen, before those of the same line are put together. */
interface Sight extends Omit<Evidence, 'key' | 'pids' | 'longestMs'> {
  readonly forMs: number;
  readonly pid: number;
  /** Tells applications apart, of which there may be several with one name. */
  readonly of: string;
}

/** What was seen of the code: the worst kind first, then the longest. Checkouts of which the stack is not known are none. */
export function evidenceOf(apps: RunningApps, now: number): readonly Evidence[] {
  const groups = new Map<string, Sight[]>();
  for (const sight of apps.flatMap((app) =>
    app.end === null ? sightsOf(app, now) : lastSights(app, app.end, apps),
  )) {
    const key = keyOf(sight);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [sight]);
    else known.push(sight);
  }
  return [...groups]
    .map(([key, group]) => together(key, group))
    .sort(worstFirst)
    .slice(0, mostEvidence);
}

/** Under which the evidence of a checkout is found while its application runs. */
export function keyOfHeld(
  app: RunningApp,
  pool: RunningPool,
  { acquiredAt }: HeldCheckout,
): string {
  return keyOf({
    kind: 'held',
    of: identityOf(app),
    pool: pool.pool.name,
    stack: acquiredAt.slice(0, deepest),
  });
}

/** Of one application, however often it was started and in however many processes it runs. */
function identityOf({ folder, script }: Pick<RunningApp, 'folder' | 'script'>): string {
  return `${folder}\n${script}`;
}

function sightsOf(app: RunningApp, now: number): readonly Sight[] {
  return app.pools.flatMap((pool) => [
    ...pool.held.flatMap((held) => heldSight('held', app, pool, held, now - held.since)),
    ...mistakeSights(app, pool),
  ]);
}

/**
 * What outlives an application, until it is started anew: mistakes, and the clients that never came back. What was out for a moment when it ended was at work;
 * and of one that ended without a word, killed as likely as not, nobody knows whether it would have come back.
 */
function lastSights(
  app: RunningApp,
  end: NonNullable<RunningApp['end']>,
  apps: RunningApps,
): readonly Sight[] {
  if (apps.some((other) => identityOf(other) === identityOf(app) && other.startedAt >= end.at))
    return [];
  const out = end.wasTold ? end.out.filter(({ since }) => end.at - since >= leastAtEndMs) : [];
  return app.pools.flatMap((pool) => [
    ...out
      .filter((held) => held.pool === pool.pool.id)
      .flatMap((held) => heldSight('never-returned', app, pool, held, end.at - held.since)),
    ...mistakeSights(app, pool),
  ]);
}

const leastAtEndMs = 5 * second;

function heldSight(
  kind: 'held' | 'never-returned',
  app: RunningApp,
  pool: RunningPool,
  { acquiredAt }: HeldCheckout,
  forMs: number,
): readonly Sight[] {
  return acquiredAt.length === 0 || toStep(forMs) === 0
    ? []
    : [
        {
          ...commonOf(app, pool),
          kind,
          stack: acquiredAt.slice(0, deepest),
          related: [],
          count: 1,
          forMs,
        },
      ];
}

function mistakeSights(app: RunningApp, pool: RunningPool): readonly Sight[] {
  return pool.mistakes
    .filter(({ misusedAt }) => misusedAt.length > 0)
    .map((mistake) => ({
      ...commonOf(app, pool),
      kind: mistake.mistake,
      stack: mistake.misusedAt.slice(0, deepest),
      related: relatedOf(mistake),
      count: mistake.count,
      forMs: 0,
    }));
}

function relatedOf({
  acquiredAt: [acquired],
  releasedAt: [released],
}: RepeatedMistake): readonly RelatedPlace[] {
  return [
    ...(acquired === undefined ? [] : [{ what: 'acquired' as const, place: acquired }]),
    ...(released === undefined ? [] : [{ what: 'released' as const, place: released }]),
  ];
}

function commonOf(
  app: RunningApp,
  pool: RunningPool,
): Pick<Sight, 'pool' | 'app' | 'pid' | 'startedAt' | 'isWaitedFor' | 'hasEnded' | 'of'> {
  return {
    pool: pool.pool.name,
    app: scriptName(app),
    pid: app.pid,
    startedAt: app.startedAt,
    isWaitedFor: isWaitedFor(pool),
    hasEnded: app.end !== null,
    of: identityOf(app),
  };
}

/** "server.js" */
export function scriptName({ script }: Pick<RunningApp, 'script'>): string {
  return script.split(/[\\/]/u).findLast((part) => part !== '') ?? 'node';
}

/** Looks that make a queue one that does not clear. */
const lastLooks = 4;

function isWaitedFor({ look, history, isEnded }: RunningPool): boolean {
  const last = history.slice(-lastLooks);
  return (
    !isEnded &&
    look !== null &&
    look.waiting > 0 &&
    last.length === lastLooks &&
    last.every(({ waiting }) => waiting > 0)
  );
}

function together(key: string, group: readonly Sight[]): Evidence {
  const [{ forMs: _, pid: __, of: ___, ...first }] = group as readonly [Sight, ...Sight[]];
  return {
    ...first,
    key,
    count: group.reduce((sum, each) => sum + each.count, 0),
    longestMs: toStep(Math.max(...group.map(({ forMs }) => forMs))),
    isWaitedFor: group.some((each) => each.isWaitedFor),
    pids: [...new Set(group.map(({ pid }) => pid))].sort((a, b) => a - b).slice(0, mostPids),
    startedAt: Math.min(...group.map(({ startedAt }) => startedAt)),
  };
}

function keyOf({ kind, of, pool, stack }: Pick<Sight, 'kind' | 'of' | 'pool' | 'stack'>): string {
  return [
    kind,
    of,
    pool,
    ...stack.map(({ file, line, column }) => `${file}:${line}:${column}`),
  ].join('\n');
}

function worstFirst(a: Evidence, b: Evidence): number {
  return (
    evidenceKinds.indexOf(a.kind) - evidenceKinds.indexOf(b.kind) ||
    b.longestMs - a.longestMs ||
    b.count - a.count ||
    (a.key < b.key ? -1 : 1)
  );
}
