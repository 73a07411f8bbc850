import * as v from 'valibot';
import { flag, number, text, type OutputOf } from '../schema/fields.ts';

/** A line of code to open: the host finds it by its key among the places that it has shown, so that the page's word alone counts for nothing. */
const ShownPlace = v.object({
  key: text,
  /** "src/orders.ts:41" */
  label: text,
  /** The stack, a line each. */
  title: text,
});
export type ShownPlace = OutputOf<typeof ShownPlace>;

/** Counts of the last samples, oldest first, and the milliseconds from the first to the last. */
export const History = v.object({ counts: v.array(number), spanMs: number });

/** Clients that are out for long and were acquired at the same place. */
const ShownHeld = v.object({
  count: number,
  /** Since when the longest of them, in milliseconds since 1970. */
  since: number,
  /** Null when stacks are off. */
  place: v.nullable(ShownPlace),
  /** Who called that. */
  caller: v.nullable(ShownPlace),
  /** Process ids of the backends, as far as the driver tells. */
  backends: text,
});
export type ShownHeld = OutputOf<typeof ShownHeld>;

const ShownMistake = v.object({
  /** Unique among those of its pool. */
  key: text,
  /** "Released twice" */
  words: text,
  /** How often at the same places. */
  count: number,
  steps: v.array(v.object({ words: text, place: ShownPlace })),
});
export type ShownMistake = OutputOf<typeof ShownMistake>;

const ShownCounters = v.object({ total: number, idle: number, waiting: number, max: number });
export type ShownCounters = OutputOf<typeof ShownCounters>;

const ShownVerdict = v.object({ isHealthy: flag, sentence: text });
export type ShownVerdict = OutputOf<typeof ShownVerdict>;

const ShownPool = v.object({
  id: number,
  name: text,
  /** Whose pool it is, "Knex"; null when an older monitor does not tell. */
  library: v.nullable(text),
  /** "shop at localhost:5432"; null when it cannot be told. */
  server: v.nullable(text),
  madeAt: v.nullable(ShownPlace),
  /** Null before the first sample. */
  counters: v.nullable(ShownCounters),
  /** Clients in use and callers waiting. */
  demand: History,
  /** Null before there is enough to judge by. */
  verdict: v.nullable(ShownVerdict),
  /** Longest first. */
  held: v.array(ShownHeld),
  /** Clients that are out for long, in all. */
  out: number,
  /** Latest first. */
  mistakes: v.array(ShownMistake),
});
export type ShownPool = OutputOf<typeof ShownPool>;

/** A thread of an application. */
const ShownApp = v.object({
  key: text,
  name: text,
  pid: number,
  /** 0 in the main thread. */
  threadId: number,
  /** What was started, in full. */
  script: text,
  hasEnded: flag,
  /** What its monitor said when it failed. */
  broken: v.nullable(text),
  pools: v.array(ShownPool),
});
export type ShownApp = OutputOf<typeof ShownApp>;

/** What the page shows of applications that run under watch. The host has made it short and plain; the page only draws it. */
export const RunningState = v.object({
  /** False in Restricted Mode, where nothing is run. */
  isTrusted: flag,
  /** Whether there is a place to report to, so that an application may come at any time. */
  isListening: flag,
  /** Whether terminals that are opened from now on are watched as well. */
  watchesTerminals: flag,
  /** When all this was so, in milliseconds since 1970 by the host's clock, which is the applications' too. */
  at: number,
  apps: v.array(ShownApp),
  /** Applications beyond those that are shown. */
  more: number,
});
export type RunningState = OutputOf<typeof RunningState>;
