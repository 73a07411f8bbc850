import { expect, test } from 'vitest';
import { toPoolerReport, type ConsoleRow } from '../../../../src/pooler/to-pooler-report.ts';
import { toPoolerSummary } from '../../../../src/probe/pooler/pooler-watch.ts';

const target = { database: 'shop', user: 'app' };

function look(pool: ConsoleRow, stats: ConsoleRow | null) {
  const config = Object.entries({
    max_client_conn: '100',
    default_pool_size: '20',
    pool_mode: 'transaction',
  }).map(([key, value]) => ({ key, value }));
  const rows = {
    pools: [{ database: 'shop', user: 'app', ...pool }],
    stats: stats === null ? [] : [{ database: 'shop', ...stats }],
    databases: [{ name: 'shop', pool_size: '4' }],
    lists: [],
    users: [],
    config,
    clients: null,
    servers: null,
  };
  return toPoolerReport(
    rows,
    { product: 'PgBouncer', version: '1.18.0', host: 'localhost', port: 6432, user: 'stats' },
    new Date(0),
  );
}

test('a queue is told at its worst, times by the difference of totals, sizes as they hold for this database', () => {
  const looks = [
    look({ cl_waiting: '0' }, { total_xact_time: '1000000', total_wait_time: '50' }),
    look({ cl_waiting: '4', maxwait: '1', maxwait_us: '250000' }, null),
    look(
      { cl_waiting: '1', maxwait: '0', maxwait_us: '7000' },
      { total_xact_time: '5000000', total_wait_time: '3000050' },
    ),
  ];
  expect(toPoolerSummary(looks, target)).toEqual({
    version: '1.18.0',
    mode: 'transaction',
    defaultPoolSize: 4,
    maxClientConnections: 100,
    peakWaitMs: 1250,
    peakWaitingClients: 4,
    waitShare: 0.75,
  });
});

test('totals that went back, as after a restart of the pooler, say nothing', () => {
  const looks = [
    look({}, { total_xact_time: '9', total_wait_time: '9' }),
    look({}, { total_xact_time: '1', total_wait_time: '0' }),
  ];
  expect(toPoolerSummary(looks, target).waitShare).toBeNull();
});

test('the pool of another user is found when it is the only one of the database', () => {
  expect(
    toPoolerSummary([look({ user: 'forced', cl_waiting: '2' }, null)], target).peakWaitingClients,
  ).toBe(2);
});

test('without a look nothing is known', () => {
  expect(Object.values(toPoolerSummary([], target)).every((value) => value === null)).toBe(true);
});
