import { countErrors, type PoolLoad } from '../../probe/load/pool-load.ts';
import { describeErrors } from '../error-text.ts';
import type { Field, LineChart } from '../sheet.ts';

/** What every table about load on a pool has, in this order, after the columns that say which load it was. */
const loadFields: readonly Field<PoolLoad>[] = [
  {
    key: 'requests',
    label: 'requests',
    unit: 'count',
    isMinor: true,
    of: ({ requests }) => requests,
  },
  {
    key: 'throughput_per_second',
    label: 'answers/s',
    unit: 'rate',
    of: ({ throughput }) => throughput,
  },
  {
    key: 'errors',
    label: 'errors',
    unit: 'text',
    of: ({ errors, dropped }) =>
      describeErrors(dropped === 0 ? errors : { ...errors, 'never begun': dropped }),
  },
  {
    key: 'average_ms',
    label: 'average',
    unit: 'ms',
    of: ({ latency }) => latency?.averageMs ?? null,
  },
  { key: 'wait_ms', label: 'waiting', unit: 'ms', of: ({ wait }) => wait?.averageMs ?? null },
  {
    key: 'database_ms',
    label: 'in database',
    unit: 'ms',
    isMinor: true,
    of: ({ database }) => database?.averageMs ?? null,
  },
  {
    key: 'p50_ms',
    label: 'p50',
    unit: 'ms',
    isMinor: true,
    of: ({ latency }) => latency?.p50Ms ?? null,
  },
  { key: 'p95_ms', label: 'p95', unit: 'ms', of: ({ latency }) => latency?.p95Ms ?? null },
  { key: 'p99_ms', label: 'p99', unit: 'ms', of: ({ latency }) => latency?.p99Ms ?? null },
  { key: 'peak_waiting', label: 'peak queue', unit: 'count', of: ({ peakWaiting }) => peakWaiting },
];

/** The same columns for something that has a load. */
export function fieldsOfLoad<Item>(
  loadOf: (item: Item) => PoolLoad,
  keys?: readonly string[],
): readonly Field<Item>[] {
  const kept = keys === undefined ? loadFields : loadFields.filter(({ key }) => keys.includes(key));
  return kept.map(({ of, ...column }) => ({ ...column, of: (item: Item) => of(loadOf(item)) }));
}

/** Share of requests that failed or were never begun, 0 to 1. */
export function failedShare({ requests, errors, dropped }: PoolLoad): number {
  const failed = countErrors(errors) + dropped;
  return failed === 0 ? 0 : failed / (requests + failed);
}

/** Name of a line, and what a row has of it in milliseconds. */
export type LatencyLine<Row> = readonly [
  name: string,
  read: (row: Row) => number | null | undefined,
];

interface LatencyLook<Row> {
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
