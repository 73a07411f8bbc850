import { mean, quantile, sampleWithReplacement } from 'simple-statistics';
import type { RandomSource } from '../random.ts';
import type { Slice } from '../size/slice.ts';
import type { PairedRatio } from './comparison.ts';

const draws = 1000;

/**
 * The throughput of one size as a share of another's, from the rounds that have both: what slowed a round slowed both, and
 * drops out. Bounds by a bootstrap over the logarithms of the rounds. Null when no round has both.
 */
export function pairedRatio(
  slices: readonly Slice[],
  size: number,
  against: number,
  random: RandomSource,
): PairedRatio | null {
  const of = (wanted: number) =>
    new Map(
      slices
        .filter((slice) => slice.size === wanted)
        .map(({ round, throughput }) => [round, Math.log(throughput)]),
    );
  const others = of(against);
  const differences = [...of(size)].flatMap(([round, value]) => {
    const other = others.get(round);
    return other === undefined ? [] : [value - other];
  });
  if (differences.length === 0) return null;
  const drawn = Array.from({ length: draws }, () =>
    mean(sampleWithReplacement(differences, differences.length, random)),
  );
  return {
    size,
    against,
    ratio: Math.exp(mean(differences)),
    low: Math.exp(quantile(drawn, 0.05)),
    high: Math.exp(quantile(drawn, 0.95)),
    rounds: differences.length,
  };
}
