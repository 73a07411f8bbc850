import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  defaultListChoice,
  filterSessions,
  listSessions,
  nextOrder,
  sessionColumns,
  sortSessions,
  type SessionColumn,
} from '../../../src/activity/session-list.ts';
import { aSession } from '../../support/a-session.ts';

const sessions = [
  aSession({
    pid: 20,
    application: 'api',
    user: 'app',
    database: 'shop',
    query: 'SELECT * FROM Users',
  }),
  aSession({
    pid: 3,
    application: 'worker',
    user: 'jobs',
    database: 'queue',
    state: 'idle in transaction',
    transactionAgeMs: 5,
    query: 'BEGIN',
  }),
  aSession({
    pid: 100,
    application: 'API',
    user: null,
    state: 'active',
    isWaiting: true,
    waitEventType: 'Lock',
    blockedBy: [3],
    transactionAgeMs: 900,
    query: '',
  }),
];
const pids = (list: readonly { readonly pid: number }[]): number[] => list.map(({ pid }) => pid);

test.each<[SessionColumn, boolean, number[]]>([
  ['pid', false, [3, 20, 100]],
  ['pid', true, [100, 20, 3]],
  ['transaction-age', true, [100, 3, 20]],
  ['transaction-age', false, [3, 100, 20]],
  ['user', false, [20, 3, 100]],
  ['user', true, [3, 20, 100]],
  ['state', false, [20, 3, 100]],
  ['state-age', false, [3, 20, 100]],
  ['blocked-by', true, [100, 3, 20]],
  ['wait', false, [100, 3, 20]],
])('by %s, descending %s', (column, isDescending, expected) => {
  expect(pids(sortSessions(sessions, { column, isDescending }))).toEqual(expected);
});

test.each([
  ['api', [20, 100]],
  ['  USERS ', [20]],
  ['jobs', [3]],
  ['queue', [3]],
  ['waiting', [100]],
  ['idle in', [3]],
  ['100', [100]],
  ['.*', []],
  ['', [20, 3, 100]],
])('the filter %j leaves %j', (filter, expected) => {
  expect(pids(filterSessions(sessions, filter))).toEqual(expected);
});

test('hiding the idle keeps those in a transaction, and those that nobody may see', () => {
  const all = [...sessions, aSession({ pid: 7, state: 'hidden', transactionAgeMs: null })];
  expect(pids(listSessions(all, { ...defaultListChoice, hidesIdle: true }))).toEqual([100, 3, 7]);
});

test('a column chosen again turns round; ages begin with the oldest', () => {
  expect(nextOrder({ column: 'pid', isDescending: false }, 'pid')).toEqual({
    column: 'pid',
    isDescending: true,
  });
  expect(nextOrder({ column: 'pid', isDescending: false }, 'query-age')).toEqual({
    column: 'query-age',
    isDescending: true,
  });
  expect(nextOrder({ column: 'pid', isDescending: true }, 'user')).toEqual({
    column: 'user',
    isDescending: false,
  });
});

test('every order keeps every session, and says the same of whatever order they come in', () => {
  const some = fc.uniqueArray(
    fc
      .record({
        pid: fc.nat(),
        user: fc.option(fc.string()),
        transactionAgeMs: fc.option(fc.nat()),
        query: fc.string(),
      })
      .map(aSession),
    { selector: ({ pid }) => pid },
  );
  fc.assert(
    fc.property(
      some,
      fc.constantFrom(...sessionColumns),
      fc.boolean(),
      (list, column, isDescending) => {
        const sorted = sortSessions(list, { column, isDescending });
        expect(sorted).toHaveLength(list.length);
        expect(sortSessions([...list].reverse(), { column, isDescending })).toEqual(sorted);
      },
    ),
  );
});
