import { toPoolerReport, type ConsoleRow } from '../../src/pooler/to-pooler-report.ts';
import type { PoolerReport } from '../../src/pooler/pooler-report.ts';

/** What a look finds at a PgBouncer with these rows of SHOW POOLS, each with room for two backends, and fifty clients in all. */
export function aPooler(
  pools: readonly ConsoleRow[],
  config: Readonly<Record<string, string>> = {},
): PoolerReport {
  const limits = Object.entries({
    max_client_conn: '50',
    default_pool_size: '2',
    pool_mode: 'transaction',
    ...config,
  }).map(([key, value]) => ({ key, value }));
  const rows = {
    pools: pools.map((pool) => ({ database: 'shop', user: 'app', ...pool })),
    stats: [],
    databases: [],
    users: [],
    lists: [{ list: 'used_clients', items: countClients(pools) }],
    config: limits,
    clients: null,
    servers: null,
  };
  return toPoolerReport(
    rows,
    { product: 'PgBouncer', version: '1.18.0', host: 'localhost', port: 6432, user: 'stats' },
    new Date('2026-01-01T00:00:00Z'),
  );
}

function countClients(pools: readonly ConsoleRow[]): number {
  return pools.reduce(
    (total, pool) => total + Number(pool['cl_active'] ?? 0) + Number(pool['cl_waiting'] ?? 0),
    0,
  );
}
