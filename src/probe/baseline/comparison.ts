import * as v from 'valibot';
import { number, positive, range, text, type OutputOf } from '../../schema/fields.ts';

const comparisonKinds = [
  'unchanged',
  'smaller-is-enough',
  'larger-needed',
  'worse',
  'too-noisy',
] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** The pick of one run. */
export const Picked = v.object({
  /** ISO 8601. */
  startedAt: text,
  /** The size on the curve; null when that run named none. */
  size: v.nullable(positive),
  /** Per pool; null as above. */
  max: v.nullable(positive),
  interval: v.nullable(range),
  confidence: v.nullable(number),
});
export type Picked = OutputOf<typeof Picked>;

/** What two sizes did in the same rounds. */
export const PairedRatio = v.object({
  size: positive,
  against: positive,
  /** Throughput of `size` as a share of that of `against`. */
  ratio: number,
  /** 5th and 95th percentile when whole rounds are drawn anew. */
  low: number,
  high: number,
  rounds: number,
});
export type PairedRatio = OutputOf<typeof PairedRatio>;

/**
 * Whether an earlier answer still holds. Statements per second of another day are not compared: machines differ by half from
 * one day to the next. What is compared was measured in this run, both sizes in the same rounds.
 */
export const Comparison = v.object({
  baseline: Picked,
  now: Picked,
  /** Of the earlier size against the best of this run; null when they never met in a round. */
  paired: v.nullable(PairedRatio),
  /** Throughput as a multiple of that of the smallest size, for the sizes that both runs have. */
  scaling: v.array(
    v.object({
      size: positive,
      then: number,
      now: number,
    }),
  ),
  verdict: v.object({
    kind: v.picklist(comparisonKinds),
    because: text,
  }),
  /** What differs beside the figures: another server, another statement. */
  differences: v.array(text),
});
export type Comparison = OutputOf<typeof Comparison>;
