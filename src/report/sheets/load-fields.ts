import type { PoolLoad } from '../../probe/load/pool-load.ts';
import { countErrors, describeErrors } from '../error-text.ts';
import type { Field } from './table-of.ts';

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
