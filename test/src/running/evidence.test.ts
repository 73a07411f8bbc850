import { describe, expect, it } from 'vitest';
import {
  evidenceOf,
  keyOfHeld,
  mostEvidence,
  toStep,
  untilNextStep,
} from '../../../src/running/evidence.ts';
import {
  aCodePlace,
  aHeldCheckout,
  aMistake,
  aPoolLook,
  aRunningApp,
  aRunningPool,
} from '../../support/running-apps.ts';

const now = 42_000;
const holding = (...since: readonly number[]) =>
  aRunningPool({
    held: since.map((each, index) => aHeldCheckout({ checkout: index, since: each })),
  });

describe('a held checkout', () => {
  it('is told by its place, with how many there are and who holds them', () => {
    expect(evidenceOf([aRunningApp({ pools: [holding(0, 1_000, 30_000)] })], now)).toMatchObject([
      {
        kind: 'held',
        stack: [{ file: '/code/api/users.js', line: 14, column: 31 }],
        related: [],
        count: 3,
        longestMs: 30_000,
        isWaitedFor: false,
        pool: 'leaky-api',
        app: 'server.js',
        pids: [4711],
        startedAt: 0,
        hasEnded: false,
      },
    ]);
  });

  it('is the same news until the next step', () => {
    const apps = [aRunningApp({ pools: [holding(0)] })];
    const told = (at: number) => JSON.stringify(evidenceOf(apps, at));
    expect(told(59_999)).toBe(told(30_000));
    expect(told(60_000)).not.toBe(told(59_999));
    expect(untilNextStep(apps, 30_001)).toBe(29_999);
    expect(untilNextStep([aRunningApp()], now)).toBeUndefined();
  });

  it('is one piece of news for all processes and threads of an application, and another for another application', () => {
    const of = (key: string, pid: number, script: string) =>
      aRunningApp({ key, pid, script, startedAt: pid, pools: [holding(0)] });
    const seen = evidenceOf(
      [of('a', 12, '/x/server.js'), of('b', 11, '/x/server.js'), of('c', 13, '/x/worker.js')],
      now,
    );
    expect(
      seen.map(({ app, pids, count, startedAt }) => ({ app, pids, count, startedAt })),
    ).toEqual([
      { app: 'server.js', pids: [11, 12], count: 2, startedAt: 11 },
      { app: 'worker.js', pids: [13], count: 1, startedAt: 13 },
    ]);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(2);
  });

  it('is told apart by who called', () => {
    const called = (line: number) =>
      aHeldCheckout({ checkout: line, acquiredAt: [aCodePlace(), aCodePlace({ line })] });
    expect(
      evidenceOf([aRunningApp({ pools: [aRunningPool({ held: [called(20), called(30)] })] })], now),
    ).toHaveLength(2);
  });

  it('without a stack, or out for less than a second, is none', () => {
    const held = [aHeldCheckout({ acquiredAt: [] }), aHeldCheckout({ since: now - 999 })];
    expect(evidenceOf([aRunningApp({ pools: [aRunningPool({ held })] })], now)).toEqual([]);
  });

  it('is found by the key of its evidence', () => {
    const held = aHeldCheckout();
    const pool = aRunningPool({ held: [held] });
    const app = aRunningApp({ pools: [pool] });
    expect(evidenceOf([app], now).map(({ key }) => key)).toEqual([keyOfHeld(app, pool, held)]);
  });

  it.each([
    ['look after look', [1, 1, 1, 2], 1, true],
    ['for a moment', [1, 1, 0, 2], 1, false],
    ['no longer', [1, 1, 1, 1], 0, false],
    ['since a moment ago', [3], 3, false],
  ])('says whether callers wait: %s', (_, queue, waiting, isWaitedFor) => {
    const history = queue.map((each) => aPoolLook({ waiting: each }));
    const pool = aRunningPool({ ...holding(0), history, look: aPoolLook({ waiting }) });
    expect(evidenceOf([aRunningApp({ pools: [pool] })], now)).toMatchObject([{ isWaitedFor }]);
  });
});

describe('a mistake', () => {
  it('is told where the client was misused, with where it came from', () => {
    expect(
      evidenceOf(
        [aRunningApp({ pools: [aRunningPool({ mistakes: [aMistake({ count: 4 })] })] })],
        now,
      ),
    ).toMatchObject([
      {
        kind: 'double-release',
        stack: [{ line: 7 }],
        related: [
          { what: 'acquired', place: { line: 3 } },
          { what: 'released', place: { line: 5 } },
        ],
        count: 4,
        longestMs: 0,
      },
    ]);
  });

  it('comes after what is held', () => {
    const pools = [
      aRunningPool({
        ...holding(0),
        mistakes: [
          aMistake(),
          aMistake({ mistake: 'open-transaction', misusedAt: [aCodePlace({ line: 9 })] }),
        ],
      }),
    ];
    expect(evidenceOf([aRunningApp({ pools })], now).map(({ kind }) => kind)).toEqual([
      'held',
      'double-release',
      'open-transaction',
    ]);
  });
});

describe('an application that has ended', () => {
  const out = [aHeldCheckout({ since: 0 }), aHeldCheckout({ checkout: 2, since: 8_000 })];
  const ended = aRunningApp({
    pools: [aRunningPool({ held: out, mistakes: [aMistake()] })],
    end: { at: 12_000, wasTold: true, out },
  });

  it('leaves its mistakes and what never came back; what was out for a moment was at work', () => {
    expect(evidenceOf([ended], now)).toMatchObject([
      { kind: 'never-returned', count: 1, longestMs: 10_000, hasEnded: true },
      { kind: 'double-release', hasEnded: true },
    ]);
  });

  it('that was killed leaves its mistakes', () => {
    expect(evidenceOf([{ ...ended, end: { at: 12_000, wasTold: false, out } }], now)).toMatchObject(
      [{ kind: 'double-release' }],
    );
  });

  it('leaves nothing once it is started anew', () => {
    const anew = aRunningApp({ key: 'app-2', startedAt: 13_000 });
    expect(evidenceOf([ended, anew], now)).toEqual([]);
    expect(
      evidenceOf([ended, { ...anew, end: { at: 14_000, wasTold: true, out: [] } }], now),
    ).toEqual([]);
    expect(evidenceOf([ended, { ...anew, script: '/code/api/other.js' }], now)).toHaveLength(2);
  });
});

it('tells no more than anybody reads', () => {
  const held = Array.from({ length: 500 }, (_, line) =>
    aHeldCheckout({ checkout: line, acquiredAt: [aCodePlace({ line: line + 1 })] }),
  );
  expect(evidenceOf([aRunningApp({ pools: [aRunningPool({ held })] })], now)).toHaveLength(
    mostEvidence,
  );
});

it.each([
  [999, 0],
  [1_000, 1_000],
  [4_999, 1_000],
  [5_000, 5_000],
  [59_000, 30_000],
  [3_600_000, 3_600_000],
  [86_400_000 * 2.5, 86_400_000 * 2],
])('%i ms have passed the step of %i ms', (ms, step) => {
  expect(toStep(ms)).toBe(step);
});
