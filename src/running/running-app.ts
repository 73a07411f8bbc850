import type { HeldCheckout, Mistake, PoolLook, WatchedPool } from '../../monitor/report.ts';

/** A thread of an application whose monitor has connected. */
export interface RunningApp {
  /** Unique among those that ever connected to one listener. */
  readonly key: string;
  readonly pid: number;
  readonly threadId: number;
  /** What was started, for people: "server.js". */
  readonly name: string;
  readonly script: string;
  readonly folder: string;
  readonly startedAt: number;
  readonly pools: readonly RunningPool[];
  /** What its monitor said when it failed; null while it watches. */
  readonly broken: string | null;
  /** When its thread said that it ends: what is held then never came back. Missing while it runs. */
  readonly endedAt?: number;
}

export interface RunningPool {
  readonly pool: WatchedPool;
  /** Null before the first look. */
  readonly look: PoolLook | null;
  /** Oldest first, bounded; drawn as a course. */
  readonly history: readonly PoolLook[];
  /** Longest first. */
  readonly held: readonly HeldCheckout[];
  /** Latest first, bounded. */
  readonly mistakes: readonly Mistake[];
  readonly alerts: readonly ('waiting' | 'idle')[];
}

/** The applications that are running, oldest first. */
export type RunningApps = readonly RunningApp[];
