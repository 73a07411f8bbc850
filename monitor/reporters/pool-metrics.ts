import type { Attributes, Meter, MetricOptions, ObservableUpDownCounter } from '@opentelemetry/api';
import type { CounterSample, WatchedPool } from '../report.ts';
import type { Measured } from '../reporter.ts';

/** A pool as its metrics are told by: under one name as long as it lives. */
export interface MeasuredPool {
  readonly pool: WatchedPool;
  readonly attributes: Attributes;
  readonly look: CounterSample | null;
  readonly isEnded: boolean;
}

/** The instruments of one meter. */
export interface PoolMetrics {
  measured(attributes: Attributes, what: Measured, ms: number): void;
  timedOut(attributes: Attributes, count: number): void;
  stop(): void;
}

/**
 * Of the semantic conventions for database client metrics (docs/db/database-metrics.md, "Connection pools", in development). They name
 * boundaries for `db.client.operation.duration` only, in seconds; these times are of the same kind.
 */
const prefix = 'db.client.connection.';
const boundaries = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

export const attributeNames = {
  pool: 'db.client.connection.pool.name',
  state: 'db.client.connection.state',
} as const;

interface Gauge {
  readonly name: string;
  readonly options: MetricOptions;
  readonly values: (
    pool: WatchedPool,
    look: CounterSample | null,
  ) => readonly (readonly [value: number, more?: Attributes])[];
}

const inConnections = (description: string): MetricOptions => ({
  unit: '{connection}',
  description,
});

/** What is read whenever somebody collects. pg-pool keeps idle clients up to its `max`, so that is also the limit of idle ones. */
const gauges: readonly Gauge[] = [
  {
    name: 'count',
    options: inConnections('Clients of the pool by state: idle or used.'),
    values: (_, look) =>
      look === null
        ? []
        : [
            [look.idle, { [attributeNames.state]: 'idle' }],
            [look.total - look.idle, { [attributeNames.state]: 'used' }],
          ],
  },
  {
    name: 'max',
    options: inConnections('The maximum number of clients in the pool.'),
    values: (pool, look) => [[look?.max ?? pool.max]],
  },
  {
    name: 'idle.max',
    options: inConnections('The maximum number of idle clients in the pool.'),
    values: (pool, look) => [[look?.max ?? pool.max]],
  },
  {
    name: 'idle.min',
    options: inConnections('The minimum number of idle clients in the pool.'),
    values: (pool) => [[pool.min ?? 0]],
  },
  {
    name: 'pending_requests',
    options: { unit: '{request}', description: 'Callers waiting for a client.' },
    values: (_, look) => (look === null ? [] : [[look.waiting]]),
  },
];

const times: Readonly<Record<Measured, { readonly name: string; readonly description: string }>> = {
  create: { name: 'create_time', description: 'The time it takes to open a connection.' },
  wait: { name: 'wait_time', description: 'The time it takes to get a client from the pool.' },
  hold: { name: 'use_time', description: 'The time from the checkout of a client to its release.' },
};

/** @param pools What is known at the moment of a collection. */
export function createPoolMetrics(meter: Meter, pools: () => Iterable<MeasuredPool>): PoolMetrics {
  const observed = gauges.map((gauge) => ({
    ...gauge,
    instrument: meter.createObservableUpDownCounter(`${prefix}${gauge.name}`, gauge.options),
  }));
  const instruments: ObservableUpDownCounter[] = observed.map(({ instrument }) => instrument);
  const observe: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
    for (const { pool, look, attributes, isEnded } of pools()) {
      for (const { instrument, values } of observed) {
        for (const [value, more] of values(pool, look))
          result.observe(instrument, isEnded ? 0 : value, { ...attributes, ...more });
      }
    }
  };
  meter.addBatchObservableCallback(observe, instruments);
  const timeouts = meter.createCounter(`${prefix}timeouts`, {
    unit: '{timeout}',
    description: 'Checkouts that timed out.',
  });
  const histogram = ({ name, description }: (typeof times)[Measured]) =>
    meter.createHistogram(`${prefix}${name}`, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: [...boundaries] },
    });
  const histograms = {
    create: histogram(times.create),
    wait: histogram(times.wait),
    hold: histogram(times.hold),
  };
  return {
    measured: (attributes, what, ms) => histograms[what].record(ms / 1_000, attributes),
    timedOut: (attributes, count) => timeouts.add(count, attributes),
    stop: () => meter.removeBatchObservableCallback(observe, instruments),
  };
}
