import * as v from 'valibot';
import { number, type OutputOf, range, text } from '../../schema/fields.ts';
import { LimitsApplied, ProbedServer, schemaVersion } from '../result-head.ts';

/** What a formula answers without measuring: a starting guess. */
export const StartingGuess = v.object({
  /** For example "HikariCP". */
  name: text,
  /** With its numbers in place, for example "2 × 2 cores + 1 disk". */
  arithmetic: text,
  size: range,
  /** Where the formula is from, for reading. */
  source: text,
});
export type StartingGuess = OutputOf<typeof StartingGuess>;

/** What the server's own statistics say about the load that it has had (`pg_stat_database`, PostgreSQL 14 and newer). */
export const ObservedLoad = v.object({
  /** Time in statements, in all time that sessions spent in transactions; 0 to 1. */
  busyShare: number,
  /** Sessions that ran a statement at the same time, on average since the statistics began; null where the server does not say when that was. */
  meanActive: v.nullable(number),
  /** ISO 8601; null when never reset. */
  since: v.nullable(text),
});
export type ObservedLoad = OutputOf<typeof ObservedLoad>;

export const Advice = v.object({
  guesses: v.array(StartingGuess),
  /** Null where the server does not say, or has seen too little. */
  observed: v.nullable(ObservedLoad),
});
export type Advice = OutputOf<typeof Advice>;

/** Formulas and observation without any load: `poolguard probe advise`. */
export const AdviseResult = v.object({
  schemaVersion: v.literal(schemaVersion),
  experiment: v.literal('advise'),
  /** Null when no server was named: then formulas speak alone. */
  server: v.nullable(ProbedServer),
  advice: Advice,
  limits: LimitsApplied,
  notes: v.array(text),
});
export type AdviseResult = OutputOf<typeof AdviseResult>;
