import { expect, test } from 'vitest';
import { poolsInNeed } from '../../../../src/editor/running/pools-in-need.ts';
import { findPlace } from '../../../../src/editor/running/to-running-state.ts';
import { announceRunning } from '../../../../src/webview/running-messages.ts';
import {
  aHeld,
  aLook,
  aRunningApp,
  aRunningPool,
  endedApp,
  leakingApp,
  placeIn,
  runningAt,
  runningState,
} from '../../../support/apps-under-watch.ts';
import { rawHidden } from '../../../support/hostile-text.ts';
import { textsIn } from '../../../support/spoilt.ts';

const onlyPool = (...apps: Parameters<typeof runningState>) => {
  const pool = runningState(...apps).apps[0]?.pools[0];
  if (pool === undefined) throw new Error('No pool is shown.');
  return pool;
};

test('checkouts that are out for long are told by the line that took them, the longest first, with who called it', () => {
  const { held, out } = onlyPool([leakingApp]);
  expect(out).toBe(5);
  expect(
    held.map(({ count, since, place, caller }) => [
      count,
      runningAt - since,
      place?.label,
      caller?.label,
    ]),
  ).toEqual([
    [3, 42_000, 'src/repositories/orders.ts:41', 'src/routes/orders.ts:22'],
    [1, 9_000, 'src/routes/reports.ts:63', undefined],
    [1, 6_000, undefined, undefined],
  ]);
  expect(held[0]?.place?.title).toBe(
    'getOrder · src/repositories/orders.ts:41\nshowOrder · src/routes/orders.ts:22',
  );
  expect(held[0]?.backends).toBe('4701, 4702, 4703');
});

test('a pool says whose it is, unless its monitor is older', () => {
  const { pool } = aRunningPool();
  const libraryOf = (library: object) =>
    onlyPool([aRunningApp({ pools: [aRunningPool({ pool: { ...pool, ...library } })] })]).library;
  expect(libraryOf({ library: 'Knex' })).toBe('Knex');
  expect(libraryOf({})).toBeNull();
});

test('a mistake is told with where it happened and what came before, each place once', () => {
  const mistakes = onlyPool([leakingApp]).mistakes.map(({ words, count, steps }) => [
    `${count} ${words}`,
    ...steps.map((step) => `${step.words} ${step.place.label}`.trim()),
  ]);
  expect(mistakes).toEqual([
    [
      '3 Released twice',
      'src/routes/users.ts:21',
      'released first at src/routes/users.ts:18',
      'acquired at src/routes/users.ts:12',
    ],
    [
      '1 Released with its transaction open',
      'src/services/payments.ts:47',
      'acquired at src/services/payments.ts:30',
    ],
  ]);
});

test('the demand on a pool is what is in use and what waited, the peak between two looks included', () => {
  expect(onlyPool([leakingApp]).demand).toEqual({
    counts: [3, 5, 6, 8, 10, 16, 22, 28, 34, 40],
    spanMs: 4500,
  });
});

test('an application without a pool is not shown; one that has ended comes last, with what never came back', () => {
  const { apps } = runningState([endedApp, aRunningApp({ key: 'npm', pools: [] }), aRunningApp()]);
  expect(apps.map(({ key, hasEnded, pools }) => [key, hasEnded, pools[0]?.out])).toEqual([
    ['app-1', false, 0],
    ['app-0', true, 2],
  ]);
});

test('the health card speaks of a pool that runs', () => {
  expect(onlyPool([leakingApp]).verdict?.isHealthy).toBe(false);
  expect(onlyPool([endedApp]).verdict).toBeNull();
});

test('what an application says is plain, short and little', () => {
  const evil = '\u001b[31m\u202e<img src=x onerror=alert(1)>\n';
  const place = {
    file: `/tmp/${'x'.repeat(5000)}${evil}`,
    line: 1,
    column: 1,
    function: evil.repeat(500),
  };
  const pools = Array.from({ length: 20 }, (_, id) =>
    aRunningPool({
      pool: { ...aRunningPool().pool, id, name: evil.repeat(500), host: evil.repeat(100) },
      held: Array.from({ length: 30 }, (__, index) =>
        aHeld(index, index, { ...place, line: index + 1 }),
      ),
    }),
  );
  const state = runningState(
    Array.from({ length: 50 }, (_, index) =>
      aRunningApp({
        key: `app-${index}`,
        name: evil.repeat(500),
        script: evil.repeat(500),
        broken: evil.repeat(500),
        pools,
      }),
    ),
  );
  const text = JSON.stringify(state);
  expect([state.apps.length, state.more]).toEqual([24, 26]);
  expect(textsIn(state).filter((each) => rawHidden.test(each) || each.includes('\n<'))).toEqual([]);
  expect(text.length / (24 * 12)).toBeLessThan(15_000);
});

test('a key finds a place that is shown, and none that is not', () => {
  const key = onlyPool([leakingApp]).held[0]?.caller?.key ?? '';
  expect(findPlace([leakingApp], key)).toEqual(placeIn('src/routes/orders.ts', 22, 'showOrder'));
  expect(findPlace([leakingApp], '/etc/passwd:1:1')).toBeUndefined();
  expect(findPlace([aRunningApp()], key)).toBeUndefined();
  expect(findPlace([endedApp], onlyPool([endedApp]).held[0]?.place?.key ?? '')).toMatchObject({
    line: 63,
  });
});

test('the badge counts pools that want to be looked at', () => {
  expect(
    poolsInNeed([
      leakingApp,
      endedApp,
      aRunningApp(),
      aRunningApp({ pools: [aRunningPool({ alerts: ['idle'] })] }),
    ]),
  ).toBe(2);
});

test('a screen reader hears what is new, and of figures nothing', () => {
  const calm = runningState([aRunningApp({ pools: [aRunningPool({ look: aLook() })] })]);
  const leaking = runningState([leakingApp]);
  expect(
    announceRunning(
      calm,
      runningState([aRunningApp({ pools: [aRunningPool({ look: aLook({ idle: 3 }) })] })]),
    ),
  ).toBe('');
  expect(announceRunning(calm, leaking)).toContain(
    'A client of pool orders-api is not released, src/repositories/orders.ts:41.',
  );
  expect(announceRunning(leaking, leaking)).toBe('');
});
