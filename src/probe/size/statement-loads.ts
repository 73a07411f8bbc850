import * as v from 'valibot';
import { number, positive, text, type OutputOf } from '../../schema/fields.ts';

/** What one statement of a workload took, as a client saw it. */
export const StatementLoad = v.object({
  /** Mean at the smallest size, in milliseconds; null without enough runs. */
  aloneMs: v.nullable(number),
  /** Mean at the size that was found and beyond; null without enough runs. */
  meanMs: v.nullable(number),
  /** Its share of the time that connections were busy there, 0 to 1. */
  timeShare: number,
  /** Its share of the time there beyond what statements take alone, 0 to 1: of queueing for locks, the CPU, or the disk. */
  queueShare: number,
});
export type StatementLoad = OutputOf<typeof StatementLoad>;

/** What the statements of a workload took each, in its order. */
export const StatementLoads = v.object({
  /** The smallest size that was measured. */
  alone: positive,
  /** The size that was found: figures are of this one and of all larger ones. */
  from: positive,
  statements: v.array(StatementLoad),
  /** The statement that keeps larger pools from doing more; null where none does. */
  binding: v.nullable(
    v.object({
      /** Its place in the workload, from 0. */
      at: number,
      /** A whole sentence. */
      because: text,
    }),
  ),
});
export type StatementLoads = OutputOf<typeof StatementLoads>;
