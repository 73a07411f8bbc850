import type { SizeMeasurement } from '../probe/result.ts';

const blocks = '▁▂▃▄▅▆▇█';

/** Throughput by size as one character each, for a line that changes in place. */
export function formatSparkline(sizes: readonly SizeMeasurement[]): string {
  return sparklineOf(sizes.map(({ throughput }) => throughput));
}

/** Values as one block character each, from nothing to the largest. */
function sparklineOf(values: readonly number[]): string {
  const top = Math.max(...values, Number.MIN_VALUE);
  return values
    .map((value) =>
      blocks.charAt(Math.min(blocks.length - 1, Math.floor((value / top) * blocks.length))),
    )
    .join('');
}

/** The same with at most so many characters; each tells of the largest value of its stretch. */
export function courseOf(values: readonly number[], width: number): string {
  const stretch = Math.max(1, Math.ceil(values.length / width));
  const largest = Array.from({ length: Math.ceil(values.length / stretch) }, (_, index) =>
    Math.max(...values.slice(index * stretch, (index + 1) * stretch)),
  );
  return sparklineOf(largest);
}
