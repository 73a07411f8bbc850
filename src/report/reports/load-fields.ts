import { countErrors, type PoolLoad } from '../../probe/load/pool-load.ts';
import { describeErrors } from '../units.ts';
import { field, type Field, type LineChart, minor } from '../report.ts';

/** What every table about load on a pool has, in this order, after the columns that say which load it was. */
const loadFields: readonly Field<PoolLoad>[] = [
  minor('requests', 'requests', 'count', ({ requests }) => requests),
  field('throughput_per_second', 'requests/s', 'rate', ({ throughput }) => throughput),
  field('errors', 'errors', 'text', ({ errors, dropped }) =>
    describeErrors(dropped === 0 ? errors : { ...errors, 'never begun': dropped }),
  ),
  field('average_ms', 'average', 'ms', ({ latency }) => latency?.averageMs ?? null),
  field('wait_ms', 'waiting', 'ms', ({ wait }) => wait?.averageMs ?? null),
  minor('database_ms', 'in database', 'ms', ({ database }) => database?.averageMs ?? null),
  minor('p50_ms', 'p50', 'ms', ({ latency }) => latency?.p50Ms ?? null),
  field('p95_ms', 'p95', 'ms', ({ latency }) => latency?.p95Ms ?? null),
  field('p99_ms', 'p99', 'ms', ({ latency }) => latency?.p99Ms ?? null),
  field('peak_waiting', 'peak queue', 'count', ({ peakWaiting }) => peakWaiting),
];

/** The same columns for something that has a load. */
export function fieldsOfLoad<Item>(
  loadOf: (item: Item) => PoolLoad,
  keys?: readonly string[],
): readonly Field<Item>[] {
  const kept = keys === undefined ? loadFields : loadFields.filter(({ key }) => keys.includes(key));
  return kept.map(({ of, ...column }) => ({ ...column, of: (item: Item) => of(loadOf(item)) }));
}

/** Why a percentile of one of these loads is a dash; nothing where none is. */
export function explainDashes(loads: readonly PoolLoad[]): readonly string[] {
  return loads.some(({ latency }) => latency !== null && latency.p99Ms === null)
    ? ['A dash means too few requests: p95 needs 200, p99 needs 1,000.']
    : [];
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
