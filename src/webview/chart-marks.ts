import type { SizeResult } from '../probe/result.ts';
import type { Marks } from './curve-options.ts';

/**
 * What to mark on the curve of a result. The curve is about all pools together, a recommendation about one of them:
 * it is marked where there is one pool only.
 */
export function marksOf({
  sizes,
  knee,
  recommendation,
  goodSize,
  limits: { pools, limits },
}: SizeResult): Marks {
  const shown = pools === 1 ? recommendation : null;
  const most = (limits[0]?.perPool ?? Infinity) * pools;
  return {
    knee,
    recommendation: shown,
    good: goodSize === shown?.max ? null : goodSize,
    limit: isAmong(most, sizes) ? most : null,
  };
}

function isAmong(size: number, sizes: SizeResult['sizes']): boolean {
  const all = sizes.map((each) => each.size);
  return size >= Math.min(...all) && size <= Math.max(...all);
}
