import type { HeldCheckout, Mistake, CounterSample, WatchedPool } from '../../monitor/report.ts';

/** A thread of an application whose monitor has connected. */
export interface RunningApp {
  /** Unique among those that ever connected to one listener. */
  readonly key: string;
  readonly pid: number;
  /** Of the process that started it; the primary of a cluster, for example. */
  readonly parentPid: number;
  readonly threadId: number;
  /** What was started, for people: "server.js (orders)". */
  readonly name: string;
  readonly script: string;
  readonly folder: string;
  /** Version of Node.js. */
  readonly node: string;
  readonly startedAt: number;
  readonly pools: readonly RunningPool[];
  /** What its monitor said when it failed; null while it watches. */
  readonly broken: string | null;
  /** Null while it is connected. */
  readonly end: AppEnd | null;
}

/** How an application that is gone is remembered. */
export interface AppEnd {
  readonly at: number;
  /** It said that it exits; otherwise it was killed, crashed hard, or broke the connection. */
  readonly wasTold: boolean;
  /** Checkouts that never came back; of an end that was not told, those that were known as held. */
  readonly out: readonly HeldCheckout[];
}

export interface RunningPool {
  readonly pool: WatchedPool;
  /** Null before the first sample. */
  readonly look: CounterSample | null;
  /** Oldest first, bounded; drawn as a course. */
  readonly history: readonly CounterSample[];
  /** Longest first. */
  readonly held: readonly HeldCheckout[];
  /** Latest first, bounded; those of one kind at one place are one, with their number. */
  readonly mistakes: readonly RepeatedMistake[];
  readonly alerts: readonly ('waiting' | 'idle')[];
  /** Checkouts and failed ones of all looks together. */
  readonly acquired: number;
  readonly failed: number;
  /** `pool.end()` was called. */
  readonly isEnded: boolean;
}

/** The last of the mistakes of one kind at one place. */
export interface RepeatedMistake extends Mistake {
  readonly count: number;
  readonly firstAt: number;
}

/** The applications that are running, oldest first, and the last ones that ended. */
export type RunningApps = readonly RunningApp[];
