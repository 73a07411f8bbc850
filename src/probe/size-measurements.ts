import { acceptSlices } from './noise-gate.ts';
import type { Evidence } from './decide.ts';
import type { SizeMeasurement } from './result.ts';
import type { Slice } from './slice.ts';
import type { Estimate } from './statistics.ts';

/** The curve of an estimate together with what each size was measured by. */
export function toSizeMeasurements({ slices, samples }: Evidence, { curve }: Estimate): readonly SizeMeasurement[] {
  const accepted = new Set(acceptSlices(slices, samples));
  return curve.map((point) => {
    const own = slices.filter(({ size }) => size === point.size);
    return { ...point, meanMs: meanMs(own), acceptedSlices: own.filter((slice) => accepted.has(slice)).length, slices: own.length };
  });
}

function meanMs(slices: readonly Slice[]): number {
  return slices.reduce((total, slice) => total + slice.meanMs, 0) / slices.length;
}
