import { type BlockingNode, findBlocking } from './blocking.ts';
import { findClusters } from './clusters.ts';
import {
  type CodeKnowledge,
  type DeclaredPool,
  noCode,
  type StatementPlace,
} from './code-knowledge.ts';
import { type Concern, findConcerns } from './concern.ts';
import { groupByPool, type PoolGroup } from './group-by-pool.ts';
import type { Holder, HolderOf } from './holder.ts';
import { toPlainText } from './plain-text.ts';
import { type ActivityReport, type Session, sessionKey } from './snapshot.ts';
import { defaultThresholds, type Thresholds } from './thresholds.ts';

/** What sidebar, wide panel and terminal show of a database: one sample, and what earlier samples and the code add to it. Plain data. */
export interface ActivityModel {
  /** Null until the first sample. */
  readonly report: ActivityReport | null;
  readonly concerns: readonly Concern[];
  /** What blocks others first, Poolguard's own last. */
  readonly pools: readonly PoolRow[];
  /** What is remembered of pools that have no session now. */
  readonly absent: readonly PoolPast[];
  readonly blocking: readonly BlockingNode[];
  /** Used connections. */
  readonly history: History;
  /** When the samples of the history were taken, in milliseconds since 1970 by the server's clock. */
  readonly times: readonly number[];
  /** Where the code writes what a session runs, by `sessionKey`; null where no place is known. Empty while nobody has read the code. */
  readonly places: Readonly<Record<string, StatementPlace | null>>;
  /** Which application under watch holds a session, by `sessionKey`; those of which that is known. */
  readonly holders: Readonly<Record<string, Holder>>;
}

/** Counts of the last samples, oldest first. */
export interface History {
  readonly counts: readonly number[];
  /** Milliseconds from the first of them to the last. */
  readonly spanMs: number;
}

/** What earlier samples show of a pool. */
export interface PoolPast {
  readonly key: string;
  /** The most sessions that a sample has found, the last one included. */
  readonly peak: number;
  /** Its sessions. */
  readonly history: History;
}

/** A pool as the server sees it, without its sessions: they are in the report. */
export interface PoolRow extends Omit<PoolGroup, 'sessions'>, PoolPast {
  readonly pids: readonly number[];
  /** Empty unless they form clearly separate clusters. */
  readonly portSpans: readonly PortSpan[];
  /** How many of its sessions began together, the oldest first: those of a process that opens its pool at its start. Empty unless the bursts are clearly apart. */
  readonly bursts: readonly number[];
  /** The pool of the workspace that has this application name, when there is one only. */
  readonly declared: DeclaredPool | null;
}

export interface ActivityModelOptions {
  readonly thresholds?: Thresholds;
  readonly code?: CodeKnowledge | undefined;
  /** Undefined while no application runs under watch. */
  readonly holderOf?: HolderOf | undefined;
}

/** Samples that a curve reaches back. */
export const historyLength = 120;

/** A server on which every session has a name of its own must not fill the memory. */
const mostAbsent = 200;

/** What a page shows before anybody has looked. */
export const emptyActivity: ActivityModel = {
  report: null,
  concerns: [],
  pools: [],
  absent: [],
  blocking: [],
  history: { counts: [], spanMs: 0 },
  times: [],
  places: {},
  holders: {},
};

/** The model after one more sample. */
export function nextActivity(
  before: ActivityModel,
  report: ActivityReport,
  { thresholds = defaultThresholds, code = noCode, holderOf }: ActivityModelOptions = {},
): ActivityModel {
  const earlier = new Map<string, PoolPast>(
    [...before.absent, ...before.pools].map((pool) => [pool.key, pool]),
  );
  const groups = stuckFirst(groupByPool(report));
  const present = new Set(groups.map(({ key }) => key));
  const places = placesOf(report.sessions, code);
  const holders = holdersOf(report, holderOf);
  const times = [...before.times, Date.parse(report.takenAt)].slice(-historyLength);
  return {
    report,
    concerns: withPlaces(findConcerns(report, thresholds), report.sessions, places, holders),
    pools: groups.map((group) => toPoolRow(group, earlier.get(group.key), times, code)),
    absent: [...earlier.values()]
      .filter(({ key }) => !present.has(key))
      .flatMap((past) => toAbsent(past, times))
      .slice(-mostAbsent),
    blocking: findBlocking(report.sessions),
    history: grow(before.history, report.headroom.used, times),
    times,
    places,
    holders,
  };
}

/** The same sample after the code has changed. */
export function linkActivity(
  model: ActivityModel,
  code: CodeKnowledge = noCode,
  thresholds: Thresholds = defaultThresholds,
): ActivityModel {
  const { report } = model;
  if (report === null) return model;
  const places = placesOf(report.sessions, code);
  const pools = model.pools.map((pool) => ({
    ...pool,
    declared: pool.isOwn ? null : declaredBy(pool.application, code),
  }));
  return {
    ...model,
    pools,
    places,
    concerns: withPlaces(findConcerns(report, thresholds), report.sessions, places, model.holders),
  };
}

/** Of sessions that hold a client and do nothing, who holds it, or else where the code sent what they did last. */
function withPlaces(
  concerns: readonly Concern[],
  sessions: readonly Session[],
  places: ActivityModel['places'],
  holders: ActivityModel['holders'],
): readonly Concern[] {
  const keys = new Map(sessions.map((session) => [session.pid, sessionKey(session)]));
  return concerns.map((concern) => {
    if (concern.kind !== 'idle-in-transaction') return concern;
    const known = concern.pids.flatMap((pid) => keys.get(pid) ?? []);
    const held = known.flatMap((key) => holders[key] ?? []);
    const found = [
      holdersText(held),
      placesText(known.flatMap((key) => (holders[key] === undefined ? (places[key] ?? []) : []))),
    ].filter((text) => text !== '');
    return found.length === 0
      ? concern
      : { ...concern, sentence: [concern.sentence, ...found].join(' ') };
  });
}

/** "Held by leaky-api (pid 4711), acquired at src/users.ts:14." */
function holdersText(holders: readonly Holder[]): string {
  const texts = [
    ...new Set(
      holders.map(
        ({ app, pid, place }) =>
          `${app} (pid ${pid})${place === null ? '' : `, acquired at ${place.label}`}`,
      ),
    ),
  ];
  const more = texts.length > mostPlaces ? `; and ${texts.length - mostPlaces} more` : '';
  return texts.length === 0 ? '' : `Held by ${texts.slice(0, mostPlaces).join('; ')}${more}.`;
}

const mostPlaces = 3;

/** "Last statement: src/users.ts:42, flagged no-unreleased-client." */
function placesText(places: readonly StatementPlace[]): string {
  const texts = [
    ...new Set(
      places.map(({ label, rule, others }) =>
        toPlainText(
          `${label}${others > 0 ? ` or ${others} more` : ''}${rule === null ? '' : `, flagged ${rule}`}`,
        ),
      ),
    ),
  ];
  if (texts.length === 0) return '';
  const more = texts.length > mostPlaces ? `; and ${texts.length - mostPlaces} more places` : '';
  return `Last statement${texts.length === 1 ? '' : 's'}: ${texts.slice(0, mostPlaces).join('; ')}${more}.`;
}

/** A narrow sidebar shows what blocks others first; the rest keeps its order. */
function stuckFirst(groups: readonly PoolGroup[]): readonly PoolGroup[] {
  return [...groups].sort(
    (a, b) => (b.longestIdleInTransactionMs ?? -1) - (a.longestIdleInTransactionMs ?? -1),
  );
}

/** A pool that comes back finds its peak and its curve, as long as the curve reaches back to it. */
function toAbsent({ key, peak, history }: PoolPast, times: readonly number[]): PoolPast[] {
  const longer = grow(history, 0, times);
  return longer.counts.some((count) => count > 0) ? [{ key, peak, history: longer }] : [];
}

/** `times` are those of the last samples, with the one that is added. */
function grow(before: History | undefined, count: number, times: readonly number[]): History {
  const counts = [...(before?.counts ?? []), count].slice(-historyLength);
  return { counts, spanMs: (times.at(-1) ?? 0) - (times.at(-counts.length) ?? 0) };
}

function toPoolRow(
  { sessions, ...group }: PoolGroup,
  earlier: PoolPast | undefined,
  times: readonly number[],
  code: CodeKnowledge,
): PoolRow {
  return {
    ...group,
    pids: sessions.map(({ pid }) => pid),
    peak: Math.max(earlier?.peak ?? 0, group.count),
    history: grow(earlier?.history, group.count, times),
    portSpans: findPortSpans(sessions.map(({ clientPort }) => clientPort)),
    bursts: findBursts(sessions),
    declared: group.isOwn ? null : declaredBy(group.application, code),
  };
}

function declaredBy(application: string, { pools }: CodeKnowledge): DeclaredPool | null {
  const named =
    application === ''
      ? []
      : pools.filter(({ applicationName }) => applicationName === application);
  return named.length === 1 ? (named[0] ?? null) : null;
}

function placesOf(sessions: readonly Session[], code: CodeKnowledge): ActivityModel['places'] {
  if (code === noCode) return {};
  const places = sessions.flatMap((session) =>
    session.isOwn || session.query === ''
      ? []
      : [[sessionKey(session), code.placeOf(session.query)] as const],
  );
  return Object.fromEntries(places);
}

function holdersOf(
  report: ActivityReport,
  holderOf: HolderOf | undefined,
): ActivityModel['holders'] {
  if (holderOf === undefined) return {};
  return Object.fromEntries(
    report.sessions.flatMap((session) => {
      const holder = session.isOwn ? null : holderOf(session, report.server);
      return holder === null ? [] : [[sessionKey(session), holder] as const];
    }),
  );
}

/** Neighbouring client ports of one pool. */
interface PortSpan {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const smallestPortGap = 1_000;

/**
 * The client ports of a pool, where they form clearly separate clusters: processes that started apart opened theirs apart.
 * Empty when that is not clear: a system gives ports in order of time as a rule, so that a pool which opens connections now
 * and then has them strewn, and nothing is said of processes.
 */
export function findPortSpans(ports: readonly (number | null)[]): readonly PortSpan[] {
  const known = ports.filter((port) => port !== null);
  if (known.length !== ports.length) return [];
  return findClusters(known, smallestPortGap).map((span) => ({
    from: span[0] ?? 0,
    to: span.at(-1) ?? 0,
    count: span.length,
  }));
}

const smallestStartGapMs = 1_000;

/** How many sessions began together, burst by burst; empty where they did not begin in clear bursts. */
function findBursts(sessions: readonly Session[]): readonly number[] {
  const starts = sessions.map(({ backendStart }) => Date.parse(backendStart));
  if (starts.some(Number.isNaN)) return [];
  return findClusters(starts, smallestStartGapMs).map(({ length }) => length);
}
