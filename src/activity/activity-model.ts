import { findBlocking, type BlockingNode } from './blocking.ts';
import { noCode, type CodeKnowledge, type DeclaredPool, type StatementPlace } from './code-knowledge.ts';
import { findConcerns, type Concern } from './concern.ts';
import { groupByPool, type PoolGroup } from './group-by-pool.ts';
import { sessionKey } from './session-key.ts';
import type { ActivityReport, Session } from './snapshot.ts';
import { defaultThresholds, type Thresholds } from './thresholds.ts';

/** What sidebar, wide panel and terminal show of a database: one look, and what earlier looks and the code add to it. Plain data. */
export interface ActivityModel {
  /** Null until the first look. */
  readonly report: ActivityReport | null;
  readonly concerns: readonly Concern[];
  /** What holds up others first, Poolguard's own last. */
  readonly pools: readonly PoolRow[];
  readonly blocking: readonly BlockingNode[];
  /** Used connections of the last looks, oldest first. */
  readonly history: readonly number[];
  /** Where the code writes what a session runs, by `sessionKey`. */
  readonly places: Readonly<Record<string, StatementPlace>>;
}

/** A pool as the server sees it, without its sessions: they are in the report. */
export interface PoolRow extends Omit<PoolGroup, 'sessions'> {
  readonly pids: readonly number[];
  /** The most sessions that a look has found, this one included. */
  readonly peak: number;
  /** Sessions of the last looks, oldest first. */
  readonly history: readonly number[];
  /** The pool of the workspace that has this application name, when there is one only. */
  readonly declared: DeclaredPool | null;
}

export interface ActivityModelOptions {
  readonly thresholds?: Thresholds;
  readonly code?: CodeKnowledge;
}

/** Looks that a curve reaches back. */
export const historyLength = 120;

/** What a page shows before anybody has looked. */
export const emptyActivity: ActivityModel = { report: null, concerns: [], pools: [], blocking: [], history: [], places: {} };

/** The model after one more look. */
export function nextActivity(before: ActivityModel, report: ActivityReport, { thresholds = defaultThresholds, code = noCode }: ActivityModelOptions = {}): ActivityModel {
  const earlier = new Map(before.pools.map((pool) => [pool.key, pool]));
  return {
    report,
    concerns: findConcerns(report, thresholds),
    pools: stuckFirst(groupByPool(report)).map((group) => toPoolRow(group, earlier.get(group.key), code)),
    blocking: findBlocking(report.sessions),
    history: [...before.history, report.headroom.used].slice(-historyLength),
    places: placesOf(report.sessions, code),
  };
}

/** The same look, judged by other thresholds. */
export function withThresholds(model: ActivityModel, thresholds: Thresholds): ActivityModel {
  return model.report === null ? model : { ...model, concerns: findConcerns(model.report, thresholds) };
}

/** A narrow sidebar shows what holds up others first; the rest keeps its order. */
function stuckFirst(groups: readonly PoolGroup[]): readonly PoolGroup[] {
  return [...groups].sort((a, b) => (b.longestIdleInTransactionMs ?? -1) - (a.longestIdleInTransactionMs ?? -1));
}

function toPoolRow({ sessions, ...group }: PoolGroup, earlier: PoolRow | undefined, code: CodeKnowledge): PoolRow {
  return {
    ...group,
    pids: sessions.map(({ pid }) => pid),
    peak: Math.max(earlier?.peak ?? 0, group.count),
    history: [...(earlier?.history ?? []), group.count].slice(-historyLength),
    declared: group.isOwn ? null : declaredBy(group.application, code),
  };
}

function declaredBy(application: string, { pools }: CodeKnowledge): DeclaredPool | null {
  const named = application === '' ? [] : pools.filter(({ applicationName }) => applicationName === application);
  return named.length === 1 ? (named[0] ?? null) : null;
}

function placesOf(sessions: readonly Session[], code: CodeKnowledge): Readonly<Record<string, StatementPlace>> {
  const places = sessions.flatMap((session) => {
    const place = session.isOwn || session.query === '' ? null : code.placeOf(session.query);
    return place === null ? [] : [[sessionKey(session), place] as const];
  });
  return Object.fromEntries(places);
}
