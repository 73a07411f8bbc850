import type { CodePlace, HeldCheckout, Mistake } from '../../monitor/report.ts';
import type { RunningApp, RunningApps, RunningPool } from './running-app.ts';

export const evidenceKinds = ['held', 'never-returned', 'double-release', 'use-after-release', 'open-transaction'] as const;
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
const steps = [second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 6 * hour, 12 * hour, day] as const;

/** The last step that a span has passed; 0 before the first. After a day each day is one. */
export function toStep(ms: number): number {
  if (ms >= day) return Math.floor(ms / day) * day;
  return steps.findLast((step) => step <= ms) ?? 0;
}

/** Milliseconds until some client of the applications is out for a step more; undefined while none is out. */
export function untilNextStep(apps: RunningApps, now: number): number | undefined {
  const waits = apps.flatMap(({ pools }) => pools).flatMap(({ held }) => held).map(({ since }) => {
    const out = Math.max(0, now - since);
    return (steps.find((step) => step > out) ?? toStep(out) + day) - out;
  });
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** One thing seen, before those of the same line are put together. */
interface Sight extends Omit<Evidence, 'key' | 'count' | 'pids' | 'startedAt' | 'longestMs'> {
  readonly forMs: number;
  readonly pid: number;
  readonly startedAt: number;
  /** Tells applications apart, of which there may be several with one name. */
  readonly of: string;
}

/** What was seen of the code: the worst kind first, then the longest. Checkouts of which the stack is not known are none. */
export function evidenceOf(apps: RunningApps, now: number): readonly Evidence[] {
  const sights = apps.flatMap((app) => app.pools.flatMap((pool) => [...heldSights(app, pool, now), ...mistakeSights(app, pool)]));
  const groups = new Map<string, Sight[]>();
  for (const sight of sights) {
    const key = keyOf(sight);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [sight]);
    else known.push(sight);
  }
  return [...groups].map(([key, group]) => together(key, group)).sort(worstFirst).slice(0, mostEvidence);
}

/** Under which a checkout's evidence is found. */
export function keyOfHeld(app: RunningApp, pool: RunningPool, { acquiredAt }: HeldCheckout): string {
  return keyOf({ kind: heldKind(app), of: identityOf(app), pool: pool.pool.name, stack: acquiredAt.slice(0, deepest) });
}

/** Of one application, however often it was started and in however many processes it runs. */
export function identityOf({ folder, script }: Pick<RunningApp, 'folder' | 'script'>): string {
  return `${folder}\n${script}`;
}

function heldKind({ endedAt }: RunningApp): EvidenceKind {
  return endedAt === undefined ? 'held' : 'never-returned';
}

function heldSights(app: RunningApp, pool: RunningPool, now: number): readonly Sight[] {
  const until = app.endedAt ?? now;
  // Whoever is stopped in the middle of its work has clients out for a moment.
  const least = app.endedAt === undefined ? second : 5 * second;
  return pool.held.flatMap((held) => {
    const forMs = Math.max(0, until - held.since);
    const isTelling = held.acquiredAt.length > 0 && forMs >= least;
    return isTelling ? [{ ...commonOf(app, pool), kind: heldKind(app), stack: held.acquiredAt.slice(0, deepest), related: [], forMs }] : [];
  });
}

function mistakeSights(app: RunningApp, pool: RunningPool): readonly Sight[] {
  return pool.mistakes.flatMap((mistake) => (mistake.misusedAt.length === 0 ? [] : [{ ...commonOf(app, pool), kind: mistake.mistake, stack: mistake.misusedAt.slice(0, deepest), related: relatedOf(mistake), forMs: 0 }]));
}

function relatedOf({ acquiredAt: [acquired], releasedAt: [released] }: Mistake): readonly RelatedPlace[] {
  return [...(acquired === undefined ? [] : [{ what: 'acquired' as const, place: acquired }]), ...(released === undefined ? [] : [{ what: 'released' as const, place: released }])];
}

function commonOf(app: RunningApp, pool: RunningPool): Pick<Sight, 'pool' | 'app' | 'pid' | 'startedAt' | 'isWaitedFor' | 'hasEnded' | 'of'> {
  return { pool: pool.pool.name, app: app.name, pid: app.pid, startedAt: app.startedAt, isWaitedFor: isWaitedFor(pool), hasEnded: app.endedAt !== undefined, of: identityOf(app) };
}

/** Looks that make a queue one that does not clear. */
const lastLooks = 4;

function isWaitedFor({ look, history }: RunningPool): boolean {
  const last = history.slice(-lastLooks);
  return look !== null && look.waiting > 0 && last.length === lastLooks && last.every(({ waiting }) => waiting > 0);
}

function together(key: string, group: readonly Sight[]): Evidence {
  const [{ forMs: _, pid: __, of: ___, ...first }] = group as readonly [Sight, ...Sight[]];
  return {
    ...first,
    key,
    count: group.length,
    longestMs: toStep(Math.max(...group.map(({ forMs }) => forMs))),
    isWaitedFor: group.some((each) => each.isWaitedFor),
    pids: [...new Set(group.map(({ pid }) => pid))].sort((a, b) => a - b).slice(0, mostPids),
    startedAt: Math.min(...group.map(({ startedAt }) => startedAt)),
  };
}

function keyOf({ kind, of, pool, stack }: Pick<Sight, 'kind' | 'of' | 'pool' | 'stack'>): string {
  return [kind, of, pool, ...stack.map(({ file, line, column }) => `${file}:${line}:${column}`)].join('\n');
}

function worstFirst(a: Evidence, b: Evidence): number {
  return evidenceKinds.indexOf(a.kind) - evidenceKinds.indexOf(b.kind) || b.longestMs - a.longestMs || b.count - a.count || (a.key < b.key ? -1 : 1);
}
