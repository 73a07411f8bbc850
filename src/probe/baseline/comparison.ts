export type ComparisonKind =
  'unchanged' | 'smaller-is-enough' | 'larger-needed' | 'worse' | 'too-noisy';

/** The pick of one run. */
export interface Picked {
  /** ISO 8601. */
  readonly startedAt: string;
  /** The size on the curve; null when that run named none. */
  readonly size: number | null;
  /** Per pool; null as above. */
  readonly max: number | null;
  readonly interval: readonly [low: number, high: number] | null;
  readonly confidence: number | null;
}

/** What two sizes did in the same rounds. */
export interface PairedRatio {
  readonly size: number;
  readonly against: number;
  /** Throughput of `size` as a share of that of `against`. */
  readonly ratio: number;
  /** 5th and 95th percentile when whole rounds are drawn anew. */
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

/**
 * Whether an earlier answer still holds. Statements per second of another day are not compared: machines differ by half from
 * one day to the next. What is compared was measured in this run, both sizes in the same rounds.
 */
export interface Comparison {
  readonly baseline: Picked;
  readonly now: Picked;
  /** Of the earlier size against the best of this run; null when they never met in a round. */
  readonly paired: PairedRatio | null;
  /** Throughput as a multiple of that of the smallest size, for the sizes that both runs have. */
  readonly scaling: readonly {
    readonly size: number;
    readonly then: number;
    readonly now: number;
  }[];
  readonly verdict: { readonly kind: ComparisonKind; readonly because: string };
  /** What differs beside the figures: another server, another statement. */
  readonly differences: readonly string[];
}
