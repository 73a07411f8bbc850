import { describeAge } from '../activity/age.ts';
import type { PoolerPool, PoolerReport } from './pooler-report.ts';

/** Something in the console that passed a threshold. */
export interface PoolerConcern {
  readonly kind: 'clients-wait' | 'no-backend-free' | 'clients-near-limit';
  readonly severity: 'warning' | 'critical';
  /** A whole sentence. Its parts come from numbers only, never from the console's text. */
  readonly sentence: string;
  /** `poolKey` of the pool that it is about; null for the pooler as a whole. */
  readonly pool: string | null;
}

export interface PoolerThresholds {
  /** A pool with so many waiting clients is no longer healthy. */
  readonly waitingClients: number;
  /** Longest wait for a backend that needs no word, and the one that is critical; in milliseconds. */
  readonly waitMs: number;
  readonly criticalWaitMs: number;
  /** Looks in a row with somebody waiting, after which it is no passing peak. */
  readonly steadySamples: number;
  /** Share of `max_client_conn` that is taken. */
  readonly usedClients: number;
}

/** Fewer than ten waiting is the customary health check of a pool; a second is what the client's own time-out often is. */
const defaultPoolerThresholds: PoolerThresholds = {
  waitingClients: 10,
  waitMs: 1_000,
  criticalWaitMs: 10_000,
  steadySamples: 3,
  usedClients: 0.8,
};

export function poolKey({ database, user }: Pick<PoolerPool, 'database' | 'user'>): string {
  return JSON.stringify([database, user]);
}

/** What in the sample deserves attention, the worst first. `samplesWaiting` counts the samples in a row, this one included, that found somebody waiting. */
export function findPoolerConcerns(
  report: PoolerReport,
  samplesWaiting: Readonly<Record<string, number>> = {},
  thresholds: PoolerThresholds = defaultPoolerThresholds,
): readonly PoolerConcern[] {
  const concerns = [
    ...clientsConcern(report, thresholds),
    ...report.pools.flatMap((pool) =>
      poolConcern(pool, samplesWaiting[poolKey(pool)] ?? 0, report, thresholds),
    ),
  ];
  return concerns.sort(
    (a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'),
  );
}

function poolConcern(
  pool: PoolerPool,
  looks: number,
  report: PoolerReport,
  thresholds: PoolerThresholds,
): PoolerConcern[] {
  const { clientsWaiting, longestWaitMs } = pool;
  const { waitingClients, waitMs, criticalWaitMs, steadySamples } = thresholds;
  const isNotable =
    clientsWaiting > 0 &&
    (clientsWaiting >= waitingClients || longestWaitMs >= waitMs || looks >= steadySamples);
  if (isNotable) {
    const severity =
      clientsWaiting >= waitingClients || longestWaitMs >= criticalWaitMs ? 'critical' : 'warning';
    return [
      { kind: 'clients-wait', severity, sentence: waitSentence(pool, report), pool: poolKey(pool) },
    ];
  }
  if (!isFull(pool) || clientsWaiting > 0) return [];
  return [
    {
      kind: 'no-backend-free',
      severity: 'warning',
      sentence: `All ${pool.size} server connections of the pool are in use: the next client waits.`,
      pool: poolKey(pool),
    },
  ];
}

/** Whether every backend that the pool may have is with a client. */
export function isFull({ serversActive, size }: PoolerPool): boolean {
  return size !== null && size > 0 && serversActive >= size;
}

function waitSentence(pool: PoolerPool, { pooler }: PoolerReport): string {
  const { clientsWaiting, longestWaitMs, size } = pool;
  const who = clientsWaiting === 1 ? '1 client waits' : `${clientsWaiting} clients wait`;
  const timeout = pooler.limits.queryWaitTimeoutMs;
  const limit =
    timeout === null || timeout === 0
      ? ''
      : ` After ${describeAge(timeout)} the pooler disconnects it.`;
  return `${who} for a server connection, the longest for ${describeAge(longestWaitMs)}: ${isFull(pool) ? `all ${size} of the pool are in use` : `${describeUse(pool)} are in use`}.${limit}`;
}

/** "2 of 5", "3", where there is no limit, or "6 of 5 and 2 in reserve": a reserve counts once it is needed. */
export function describeUse({ serversActive, size, reserve }: PoolerPool): string {
  if (size === null || size === 0) return String(serversActive);
  const kept = serversActive > size && reserve !== null ? ` and ${reserve} in reserve` : '';
  return `${serversActive} of ${size}${kept}`;
}

function clientsConcern(
  { totals, pooler }: PoolerReport,
  { usedClients }: PoolerThresholds,
): PoolerConcern[] {
  const { maxClients } = pooler.limits;
  const clients = totals.clientConnections;
  if (clients === null || maxClients === null || maxClients === 0) return [];
  if (clients < maxClients * usedClients) return [];
  const sentence = `${clients} of ${maxClients} client connections are in use (max_client_conn). The pooler rejects clients beyond that.`;
  return [
    {
      kind: 'clients-near-limit',
      severity: clients >= maxClients ? 'critical' : 'warning',
      sentence,
      pool: null,
    },
  ];
}
