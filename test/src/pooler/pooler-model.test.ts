import { describe, expect, test } from 'vitest';
import { findPoolerConcerns } from '../../../src/pooler/pooler-concern.ts';
import { describePooler, emptyPooler, nextPooler } from '../../../src/pooler/pooler-model.ts';
import { aPooler } from '../../support/a-pooler.ts';

describe('what deserves attention', () => {
  test.each([
    ['nobody waits', { cl_active: 1, sv_active: 1 }, []],
    ['a short wait of a few', { cl_waiting: 3, sv_active: 2, maxwait_us: 30_000, maxwait: 0 }, []],
    ['all backends lent', { cl_active: 2, sv_active: 2 }, ['warning no-backend-free']],
    [
      'a wait of more than a second',
      { cl_waiting: 1, sv_active: 2, maxwait: 1 },
      ['warning clients-wait'],
    ],
    [
      'a wait of more than ten',
      { cl_waiting: 1, sv_active: 2, maxwait: 11 },
      ['critical clients-wait'],
    ],
    ['ten that wait', { cl_waiting: 10, sv_active: 2, maxwait: 0 }, ['critical clients-wait']],
    [
      'nearly all client connections',
      { cl_active: 40, sv_active: 1 },
      ['warning clients-near-limit'],
    ],
    [
      'every client connection',
      { cl_active: 50, sv_active: 2 },
      ['critical clients-near-limit', 'warning no-backend-free'],
    ],
  ])('%s', (_, pool, expected) => {
    expect(
      findPoolerConcerns(aPooler([pool])).map(({ severity, kind }) => `${severity} ${kind}`),
    ).toEqual(expected);
  });

  test('the words: who waits, since when, on what, and for how long at most', () => {
    const [one] = findPoolerConcerns(
      aPooler([{ cl_waiting: 1, sv_active: 2, maxwait: 3 }], { query_wait_timeout: '120' }),
    );
    expect(one?.sentence).toBe(
      '1 client waits for a server connection, the longest for 3.0 s: all 2 of the pool are in use. After 2 min the pooler disconnects it.',
    );
    const [two] = findPoolerConcerns(
      aPooler([{ cl_waiting: 2, sv_active: 1, maxwait: 3 }], { query_wait_timeout: '0' }),
    );
    expect(two?.sentence).toBe(
      '2 clients wait for a server connection, the longest for 3.0 s: 1 of 2 are in use.',
    );
  });

  test('names of databases and roles are in no sentence', () => {
    const hostile = '<img src=x>\u001B[31m';
    const concerns = findPoolerConcerns(
      aPooler([{ database: hostile, user: hostile, cl_waiting: 12, sv_active: 2, maxwait: 30 }]),
    );
    expect(concerns).toHaveLength(1);
    expect(concerns[0]?.sentence).not.toMatch(/img|\u001B/);
  });
});

describe('look by look', () => {
  const waiting = aPooler([
    { cl_waiting: 2, sv_active: 2, maxwait: 0 },
    { database: 'other', cl_active: 1 },
  ]);
  const calm = aPooler([{ cl_active: 1, sv_active: 1 }]);

  test('a wait that lasts three looks is no passing peak; a look without starts anew', () => {
    const three = [waiting, waiting, waiting].reduce(
      (model, report) => nextPooler(model, report),
      emptyPooler,
    );
    expect(three.concerns).toMatchObject([{ kind: 'clients-wait', severity: 'warning' }]);
    const interrupted = [waiting, waiting, calm, waiting].reduce(
      (model, report) => nextPooler(model, report),
      emptyPooler,
    );
    expect(interrupted.concerns).toEqual([]);
    expect(interrupted.waiting).toEqual([2, 2, 0, 2]);
  });

  test('the curve reaches back for a hundred and twenty looks', () => {
    const long = Array.from({ length: 200 }, () => calm).reduce(
      (model, report) => nextPooler(model, report),
      emptyPooler,
    );
    expect(long.waiting).toHaveLength(120);
    expect(long.longestWaitMs).toHaveLength(120);
  });
});

test('one line for a narrow place', () => {
  expect(describePooler(aPooler([{ cl_waiting: 3, maxwait: 1, maxwait_us: 200_000 }]))).toBe(
    'PgBouncer 1.18.0 in front: 3 clients wait, the longest for 1.2 s',
  );
  expect(describePooler(aPooler([]))).toBe('PgBouncer 1.18.0 in front: no client waits');
});
