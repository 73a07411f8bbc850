import { describe, expect, test } from 'vitest';
import {
  clientColumns,
  formatWait,
  poolColumns,
  sortPoolerRows,
  statsColumns,
} from '../../../src/webview/pooler-columns.ts';
import { parseFromPoolerPage } from '../../../src/webview/from-pooler-page.ts';
import { aPooler } from '../../support/a-pooler.ts';

const { pools } = aPooler([
  { database: 'calm', cl_active: 1, sv_active: 1 },
  { database: 'stuck', cl_active: 2, cl_waiting: 8, sv_active: 2, maxwait: 3, maxwait_us: 460_000 },
  { database: 'busy', cl_active: 2, sv_active: 2 },
]);

function row(database: string): Readonly<Record<string, string>> {
  const pool = pools.find((each) => each.database === database);
  if (pool === undefined) throw new Error(`No pool ${database}.`);
  return Object.fromEntries(
    poolColumns.map((column) => [
      column.id,
      `${column.text(pool)}${column.isNotable?.(pool) === true ? '!' : ''}`,
    ]),
  );
}

test('what saturates a pool stands out', () => {
  expect(row('calm')).toMatchObject({ waiting: '0', lent: '1 of 2' });
  expect(row('busy')).toMatchObject({ waiting: '0', lent: '2 of 2!' });
  expect(row('stuck')).toMatchObject({
    waiting: '8!',
    'longest-wait': '3.4 s!',
    lent: '2 of 2!',
    mode: 'transaction',
  });
});

test('rows sort by numbers and by names; what is not known comes last', () => {
  const order = (column: string, isDescending: boolean) =>
    sortPoolerRows(pools, poolColumns, { column, isDescending }).map(({ database }) => database);
  expect(order('waiting', true)).toEqual(['stuck', 'calm', 'busy']);
  expect(order('database', false)).toEqual(['busy', 'calm', 'stuck']);
  expect(order('none', true)).toEqual(['calm', 'stuck', 'busy']);
  const stats = [
    { database: 'a', queriesPerSecond: null },
    { database: 'b', queriesPerSecond: 3 },
  ].map((each) => ({
    ...each,
    transactionsPerSecond: null,
    averageQueryMs: null,
    averageTransactionMs: null,
    averageWaitMs: null,
    receivedPerSecond: null,
    sentPerSecond: null,
    totalQueries: null,
    totalTransactions: null,
  }));
  expect(
    sortPoolerRows(stats, statsColumns, { column: 'queries', isDescending: false }).map(
      ({ database }) => database,
    ),
  ).toEqual(['b', 'a']);
});

test("Poolguard's own connection is told apart among the clients", () => {
  const application = clientColumns.find(({ id }) => id === 'application');
  const socket = {
    id: '',
    database: '',
    user: '',
    state: 'active',
    application: 'poolguard',
    address: null,
    port: null,
    connectedAt: null,
    requestedAt: null,
    waitMs: null,
    pid: null,
    link: null,
  };
  expect(application?.text(socket)).toBe('poolguard (Poolguard’s own)');
});

test.each([
  [200, '200 ms'],
  [1_000, '1.0 s'],
  [9_990, '9.9 s'],
  [12_000, '12 s'],
  [125_000, '2 min'],
])('a wait of %i ms is written %s', (ms, text) => {
  expect(formatWait(ms)).toBe(text);
});

describe('messages of the page', () => {
  test.each(['ready', 'connect', 'retry', 'role'])(
    '%s is understood, and stripped of what comes with it',
    (kind) => {
      expect(parseFromPoolerPage({ kind, sql: 'PAUSE' })).toEqual({ kind });
    },
  );

  test.each([null, 'ready', {}, { kind: 'PAUSE' }, { kind: ['ready'] }, { kind: 'toString' }])(
    '%o is not',
    (value) => {
      expect(parseFromPoolerPage(value)).toBeUndefined();
    },
  );
});
