import { expect, test } from 'vitest';
import { ProbeHistory } from '../../../../src/editor/probe/probe-history.ts';
import type { SizeResult } from '../../../../src/probe/result.ts';
import { foundTwo } from '../../../support/probe-result.ts';
import { expectToRead } from '../../../support/spoilt.ts';
import { aTarget as target } from '../../../support/a-target.ts';

const stateKey = 'poolguard.probeHistory';

function resultOf(text: string, max = 12): SizeResult {
  const [statement] = foundTwo.workload.statements;
  if (statement === undefined || foundTwo.recommendation === null) throw new Error('no statement');
  return {
    ...foundTwo,
    recommendation: { ...foundTwo.recommendation, max, interval: [8, 14] },
    workload: {
      ...foundTwo.workload,
      statements: [{ ...statement, text, parameters: ['correct-horse'] }],
    },
  };
}

/** What a workspace keeps, and a history that reads it; each probe is a millisecond later than the one before. */
function createHistory(kept?: unknown) {
  const state = new Map<string, unknown>([[stateKey, kept]]);
  const memento = {
    get: <T>(key: string) => state.get(key) as T,
    update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
  };
  let now = 1000;
  const open = () => new ProbeHistory(memento, () => now++);
  return { history: open(), state, reopen: open };
}

test('a recommendation is kept for its database, and no other', async () => {
  const { history } = createHistory();
  await history.keep(target, resultOf('SELECT name FROM users'));
  expect(history.last(target)).toMatchObject({
    max: 12,
    interval: [8, 14],
    connectionTimeoutMs: 5_000,
    statement: 'select name from users',
    at: 1000,
  });
  expect(history.last({ ...target, database: 'other' })).toBeUndefined();
  expect(history.of({ ...target, user: 'other' }, undefined)).toBeNull();
  await history.keep(target, { ...foundTwo, recommendation: null });
  expect(history.last(target)?.max).toBe(12);
  await history.forget(target);
  expect(history.last(target)).toBeUndefined();
});

test('each statement has its own history, the newest first; without a result it is that of the last probe', async () => {
  const { history } = createHistory();
  const [one, other] = [resultOf('SELECT 1', 4), resultOf('SELECT 2', 9)];
  await history.keep(target, one);
  await history.keep(target, { ...one, server: { ...one.server, version: '17.2' } });
  await history.keep(target, other);
  const run = { max: 4, interval: [8, 14] };
  expect(history.of(target, one)).toEqual({
    statement: 'select ?',
    runs: [
      { ...run, at: 1001, server: '17.2' },
      { ...run, at: 1000, server: '18.4' },
    ],
  });
  expect(history.of(target, undefined)?.runs.map(({ max }) => max)).toEqual([9]);
  expect(history.of(target, resultOf('SELECT 3'))).toBeNull();
});

test('twenty probes of a statement are kept, whatever others there are, and read again', async () => {
  const { history, reopen } = createHistory();
  await history.keep(target, resultOf('SELECT 2'));
  for (let each = 0; each < 25; each += 1)
    await history.keep(target, resultOf('SELECT 1', each + 1));
  const again = reopen();
  expect(again.of(target, undefined)?.runs.map(({ max }) => max)).toEqual(
    Array.from({ length: 20 }, (_, at) => 25 - at),
  );
  expect(again.of(target, resultOf('SELECT 2'))?.runs).toHaveLength(1);
  expect(again.last(target)).toEqual(history.last(target));
});

test('neither a literal nor a value of a statement is kept', async () => {
  const { history, state } = createHistory();
  await history.keep(
    target,
    resultOf("SELECT 1 FROM users WHERE token = 'battery-staple' AND id = $1"),
  );
  expect(history.last(target)?.statement).toBe('select ? from users where token = ? and id = $1');
  expect(JSON.stringify(state.get(stateKey))).not.toMatch(/correct-horse|battery-staple/u);
});

test.each([7, null, 'x', {}, { '["localhost",5432,"shop","app"]': { max: 12 } }])(
  '%j holds no probe',
  (kept) => {
    expect(createHistory(kept).history.last(target)).toBeUndefined();
  },
);

test('entries that are broken are dropped, and the others read', async () => {
  const { history, state, reopen } = createHistory();
  await history.keep(target, resultOf('SELECT 1', 4));
  const [sound] = state.get(stateKey) as readonly Readonly<Record<string, unknown>>[];
  state.set(stateKey, [
    { ...sound, max: '12' },
    { ...sound, interval: [1] },
    { ...sound, at: -1 },
    { ...sound, key: undefined },
    null,
    sound,
  ]);
  expect(reopen().of(target, undefined)?.runs).toEqual([
    { at: 1000, max: 4, interval: [8, 14], server: '18.4' },
  ]);
});

test('whatever the workspace holds, a probe is read as it is kept, or none', () => {
  const kept = {
    place: '["localhost",5432,"shop","app"]',
    key: 'k',
    statement: 'select ?',
    max: 12,
    interval: [8, 14] as const,
    connectionTimeoutMs: 5_000,
    server: '18.4',
    at: 7,
  };
  expectToRead([kept], (given) =>
    createHistory(Array.isArray(given) ? given : [given]).history.last(target),
  );
});
