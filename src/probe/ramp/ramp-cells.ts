import type { RampRequest } from '../request.ts';

const shortestCellMs = 1000;
/** Opening and closing a pool. */
export const switchMs = 500;

/** How long each rate lasts at each size, in milliseconds. */
export function rampCellMs({
  seconds,
  sizes,
  rates,
}: Pick<RampRequest, 'seconds' | 'sizes' | 'rates'>): number {
  return Math.max(
    shortestCellMs,
    (seconds * 1000 - sizes.length * switchMs) / (sizes.length * rates.length),
  );
}
