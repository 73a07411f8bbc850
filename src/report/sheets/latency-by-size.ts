import type { LineChart } from '../sheet.ts';

/** Name of a line, and what a row has of it in milliseconds. */
export type LatencyLine<Row> = readonly [
  name: string,
  read: (row: Row) => number | null | undefined,
];

export interface LatencyLook<Row> {
  /** What the times are: from when to when. */
  readonly y: string;
  readonly lines: readonly LatencyLine<Row>[];
}

/** Times over pool sizes, with the pick; a line that no row has is left out. */
export function latencyChart<Row extends { readonly max: number }>(
  rows: readonly Row[],
  pick: number | null,
  { y, lines }: LatencyLook<Row>,
): LineChart {
  const drawn = lines.map(([name, read]) => ({
    name,
    points: rows.flatMap((row) =>
      [read(row)].flatMap((value) =>
        value === null || value === undefined ? [] : [{ x: row.max, y: value }],
      ),
    ),
  }));
  return {
    kind: 'lines',
    title: 'Latency by pool size',
    x: { label: 'max', unit: 'count', scale: 'log', ticks: rows.map(({ max }) => max) },
    y: { label: y, unit: 'ms', scale: 'linear' },
    lines: drawn.filter(({ points }) => points.length > 0),
    marks: pick === null ? [] : [{ kind: 'pick', at: pick, label: `pick ${pick}` }],
  };
}
