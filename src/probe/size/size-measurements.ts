import { acceptSlices } from './noise-gate.ts';
import type { Evidence } from './decide.ts';
import type { SizeMeasurement } from './size-result.ts';
import { toMeanMs, type Estimate } from './statistics.ts';

/** The curve of an estimate together with what each size was measured by. */
export function toSizeMeasurements(
  { slices, samples }: Evidence,
  { curve }: Estimate,
): readonly SizeMeasurement[] {
  const accepted = new Set(acceptSlices(slices, samples));
  return curve.map((point) => {
    const own = slices.filter(({ size }) => size === point.size);
    return {
      ...point,
      meanMs: toMeanMs(point),
      acceptedSlices: own.filter((slice) => accepted.has(slice)).length,
      slices: own.length,
    };
  });
}
