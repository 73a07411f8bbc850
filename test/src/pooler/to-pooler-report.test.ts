import { describe, expect, test } from 'vitest';
import {
  toPoolerReport,
  type ConsoleRow,
  type ConsoleRows,
} from '../../../src/pooler/to-pooler-report.ts';
import { consoleColumns } from '../../support/console-columns.ts';
import { aPooler } from '../../support/a-pooler.ts';

type Version = keyof typeof consoleColumns;
const versions = Object.keys(consoleColumns) as Version[];
const facts = {
  product: 'PgBouncer',
  version: '1.18.0',
  host: 'localhost',
  port: 6432,
  user: 'stats',
};
const now = new Date('2026-01-01T00:00:00Z');

/** A row with every column that the version has: those given, and for the rest a number or text of its own. */
function row(
  version: Version,
  show: keyof (typeof consoleColumns)[Version],
  given: ConsoleRow,
): ConsoleRow {
  return Object.fromEntries(
    consoleColumns[version][show].split(' ').map((column) => [column, given[column] ?? '0']),
  );
}

function rowsOf(version: Version, change: Partial<ConsoleRows> = {}): ConsoleRows {
  const pool = {
    database: 'shop',
    user: 'app',
    cl_active: 2,
    cl_waiting: '3',
    sv_active: '2',
    maxwait: 1,
    maxwait_us: '250000',
    pool_mode: 'transaction',
    cl_cancel_req: 1,
    cl_active_cancel_req: 1,
    cl_waiting_cancel_req: 2,
    load_balance_hosts: 'disable',
  };
  const stats = {
    database: 'shop',
    avg_req: '5',
    avg_query_count: '5',
    avg_xact_count: '4',
    avg_query: '1500',
    avg_query_time: '1500',
    avg_wait_time: '2000',
    total_requests: '70',
    total_query_count: '70',
  };
  const client = {
    type: 'C',
    database: 'shop',
    user: 'app',
    state: 'waiting',
    addr: '10.0.0.1',
    port: 5000,
    wait: 2,
    wait_us: 500_000,
    ptr: '0x1',
    link: '',
    application_name: 'api',
  };
  return {
    pools: [
      row(version, 'pools', { ...pool, database: 'pgbouncer', user: 'pgbouncer' }),
      row(version, 'pools', pool),
    ],
    stats: [row(version, 'stats', stats)],
    databases: [row(version, 'databases', { name: 'shop', pool_size: 2 })],
    config: [
      row(version, 'config', { key: 'max_client_conn', value: '100' }),
      row(version, 'config', { key: 'pool_mode', value: 'session' }),
    ],
    clients: [row(version, 'clients', client)],
    servers: null,
    ...change,
  };
}

describe.each(versions)('the console of PgBouncer %s', (version) => {
  const report = toPoolerReport(rowsOf(version), facts, now);
  const has = (show: 'pools' | 'stats' | 'clients', column: string) =>
    consoleColumns[version][show].split(' ').includes(column);

  test('pools, without its own', () => {
    const longestWaitMs = has('pools', 'maxwait_us') ? 1_250 : 1_000;
    expect(report.totals).toEqual({
      clientsActive: 2,
      clientsWaiting: 3,
      serversActive: 2,
      serversFree: 0,
      longestWaitMs,
    });
    expect(report.pools).toMatchObject([
      { database: 'shop', user: 'app', mode: 'transaction', size: 2, longestWaitMs },
    ]);
    expect(report.pools[0]?.cancelRequests).toBe(
      has('pools', 'cl_active_cancel_req') ? 3 : has('pools', 'cl_cancel_req') ? 1 : null,
    );
  });

  test('statistics: what it does not know is null', () => {
    expect(report.stats).toMatchObject([
      { database: 'shop', queriesPerSecond: 5, averageQueryMs: 1.5, totalQueries: 70 },
    ]);
    expect(report.stats[0]).toMatchObject(
      has('stats', 'avg_xact_count')
        ? { transactionsPerSecond: 4, averageWaitMs: 2 }
        : { transactionsPerSecond: null, averageWaitMs: null },
    );
  });

  test('clients', () => {
    const waitMs = has('clients', 'wait') ? 2_500 : null;
    expect(report.clients).toMatchObject([
      {
        id: '0x1',
        state: 'waiting',
        address: '10.0.0.1',
        port: 5000,
        waitMs,
        link: null,
        pid: null,
        application: has('clients', 'application_name') ? 'api' : null,
      },
    ]);
    expect(report.servers).toBeNull();
  });

  test('limits', () => {
    expect(report.pooler.limits).toMatchObject({
      maxClients: 100,
      mode: 'session',
      defaultPoolSize: null,
      queryWaitTimeoutMs: null,
    });
  });
});

test('rows of a pooler that nobody has heard of make no number up', () => {
  const odd = toPoolerReport(
    {
      pools: [{ cl_waiting: 'many', maxwait: null }],
      stats: [{}],
      databases: [],
      config: [{}],
      clients: [{ state: 'idle' }],
      servers: [],
    },
    facts,
    now,
  );
  expect(odd.pools).toMatchObject([
    { database: '', clientsWaiting: 0, longestWaitMs: 0, size: null, cancelRequests: null },
  ]);
  expect(Object.values(odd.stats[0] ?? {}).filter((value) => value !== null)).toEqual(['']);
  expect(odd.clients).toMatchObject([{ waitMs: null, address: null }]);
});

test('a wait without measure is no infinite one', () => {
  expect(aPooler([{ maxwait: 1e308 }, { maxwait: '12' }]).totals.longestWaitMs).toBe(12_000);
});
