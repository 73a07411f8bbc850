import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeUse } from '../../../src/pooler/pooler-concern.ts';
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
    // What it means differs from version to version, so that nothing may come of it.
    avg_wait_time: '4200000',
    avg_query_time: '7000000',
    total_requests: '70',
    total_query_count: '70',
    total_xact_count: '60',
    total_query_time: '2100000',
    total_xact_time: '2400000',
    total_wait_time: '1200000',
    total_received: '9000',
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
    lists: [row(version, 'lists', { list: 'used_clients', items: 6 })],
    users: [row(version, 'users', { name: 'other', pool_size: '        7' })],
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
      clientConnections: 6,
    });
    expect(report.pools).toMatchObject([
      { database: 'shop', user: 'app', mode: 'transaction', size: 2, longestWaitMs },
    ]);
    expect(report.pools[0]?.cancelRequests).toBe(
      has('pools', 'cl_active_cancel_req') ? 3 : has('pools', 'cl_cancel_req') ? 1 : null,
    );
  });

  test('statistics: differences of totals, and null for what it does not count', () => {
    const before = row(version, 'stats', {
      database: 'shop',
      total_requests: '50',
      total_query_count: '50',
      total_xact_count: '40',
      total_query_time: '1900000',
      total_xact_time: '2000000',
      total_wait_time: '1000000',
      total_received: '5000',
    });
    const { stats } = toPoolerReport(rowsOf(version), facts, now, {
      rows: [before],
      agoMs: 2_000,
    });
    const isCounted = has('stats', 'total_xact_count');
    expect(stats).toMatchObject([
      {
        database: 'shop',
        overMs: 2_000,
        totalQueries: 70,
        queriesPerSecond: 10,
        averageQueryMs: 10,
        receivedPerSecond: 2_000,
        transactionsPerSecond: isCounted ? 10 : null,
        averageTransactionMs: isCounted ? 20 : null,
        averageWaitMs: isCounted ? 10 : null,
      },
    ]);
  });

  test('statistics of a single sample: totals only', () => {
    expect(report.stats).toMatchObject([
      { totalQueries: 70, overMs: null, queriesPerSecond: null, averageWaitMs: null },
    ]);
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
      lists: [{}],
      users: [{}],
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

describe('how many backends a pool may have', () => {
  const sizeWith = (change: Partial<ConsoleRows>) => {
    const { pools } = toPoolerReport(rowsOf('1.25', change), facts, now);
    return pools[0] === undefined
      ? null
      : { size: pools[0].size, reserve: pools[0].reserve, use: describeUse(pools[0]) };
  };
  const database = { name: 'shop', pool_size: 2, reserve_pool_size: 1 };

  test('its user’s own number wins over that of its database', () => {
    const users = [{ name: 'app', pool_size: '        1', reserve_pool_size: '        3' }];
    expect(sizeWith({ databases: [database], users })).toEqual({
      size: 1,
      reserve: 3,
      use: '2 of 1 and 3 in reserve',
    });
  });

  test('a user without one has that of its database', () => {
    const users = [{ name: 'app', pool_size: '', reserve_pool_size: '' }];
    expect(sizeWith({ databases: [database], users })).toEqual({
      size: 2,
      reserve: 1,
      use: '2 of 2',
    });
  });

  test('0 is no limit, and is not shown as one', () => {
    expect(sizeWith({ databases: [{ ...database, pool_size: 0 }] })?.use).toBe('2');
  });
});

test('totals that went back, as after a restart, give no rates', () => {
  const later = { database: 'shop', total_query_count: '5' };
  const { stats } = toPoolerReport(rowsOf('1.25', { stats: [later] }), facts, now, {
    rows: [{ database: 'shop', total_query_count: '70' }],
    agoMs: 1_000,
  });
  expect(stats).toMatchObject([{ overMs: null, queriesPerSecond: null, totalQueries: 5 }]);
});

test('whatever ran between two samples: a wait is no more than its transaction, and Little’s law holds', () => {
  const transaction = fc.record({
    wait: fc.nat(5_000_000),
    held: fc.integer({ min: 1, max: 5_000_000 }),
  });
  fc.assert(
    fc.property(
      fc.array(transaction, { maxLength: 20 }),
      fc.array(transaction, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 60_000 }),
      (earlier, between, agoMs) => {
        const totalsOf = (all: readonly { wait: number; held: number }[]) => ({
          database: 'shop',
          total_xact_count: String(all.length),
          total_query_count: String(all.length),
          total_xact_time: String(all.reduce((sum, each) => sum + each.wait + each.held, 0)),
          total_wait_time: String(all.reduce((sum, { wait }) => sum + wait, 0)),
        });
        const stats = [totalsOf([...earlier, ...between])];
        const [seen] = toPoolerReport(rowsOf('1.25', { stats }), facts, now, {
          rows: [totalsOf(earlier)],
          agoMs,
        }).stats;
        const { averageWaitMs, averageTransactionMs, transactionsPerSecond } = seen ?? {};
        expect(averageWaitMs).toBeLessThanOrEqual((averageTransactionMs ?? NaN) + 1e-6);
        const busy = ((transactionsPerSecond ?? NaN) * (averageTransactionMs ?? NaN)) / 1_000;
        const own = between.reduce((sum, { wait, held }) => sum + wait + held, 0) / 1_000 / agoMs;
        expect(busy / own).toBeCloseTo(1, 6);
      },
    ),
  );
});
