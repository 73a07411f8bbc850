import { describe, expect, test } from 'vitest';
import { decide, type Evidence } from '../../../../src/probe/size/decide.ts';
import { createRandom } from '../../../../src/probe/random.ts';
import {
  calm,
  makeSlices,
  running,
  waitingFor,
  type SyntheticCurve,
} from '../../../support/synthetic-slices.ts';

const sizes = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
const cores = (size: number) => 500 * Math.min(size, 2);

function look(curve: Partial<SyntheticCurve>, change: Partial<Evidence> = {}) {
  const slices = makeSlices({ sizes, rounds: 5, throughput: cores, ...curve });
  return decide(
    {
      sizes,
      current: sizes,
      slices,
      samples: running(sizes),
      isBudgetSpent: false,
      isLong: false,
      seconds: 45,
      ...change,
    },
    createRandom(11),
  );
}

describe('going on', () => {
  test.each([
    ['two rounds', { rounds: 2 }],
    ['three rounds, however clear', { rounds: 3, noise: 0 }],
    ['rounds that disagree', { noise: 0.3 }],
  ])('after %s', (_, curve) => {
    expect(look(curve).kind).toBe('continue');
  });

  test('when a size has too few slices', () => {
    const slices = makeSlices({ sizes, rounds: 5, throughput: cores }).filter(
      ({ size, round }) => size !== 2 || round > 2,
    );
    expect(look({}, { slices }).kind).toBe('continue');
  });
});

describe('verdicts', () => {
  const busy = { ...calm, eventLoop: 0.99 };
  test.each([
    ['two cores', { curve: {} }, 'found', 2, /2 clients do .* statements\/s/],
    [
      'a curve that still rises',
      { curve: { throughput: (size: number) => 180 * size } },
      'not-saturated',
      32,
      /the database is not the limit yet.*peak rate × 0\.00\d+ s × 1\.2/,
    ],
    [
      'a lock',
      {
        curve: { throughput: () => 400 },
        change: { samples: waitingFor('Lock', 'advisory', sizes) },
      },
      'lock-bound',
      1,
      /1 client does .*Lock: advisory, \d+ %/,
    ],
    [
      'a full event loop',
      { curve: { load: { ...busy, ownCores: 0.95 } } },
      'client-bound',
      2,
      /this Node process is the limit/,
    ],
    [
      'a starved event loop',
      { curve: { load: { ...busy, ownCores: 0.2, idleCores: 0 } } },
      'host-bound',
      2,
      /4 cores of this machine are used up/,
    ],
    [
      'a busy event loop that is neither',
      { curve: { load: { ...busy, ownCores: 0.8 } } },
      'found',
      2,
      /2 clients do/,
    ],
    [
      'waits that are no locks',
      { curve: {}, change: { samples: waitingFor('IO', 'DataFileRead', sizes) } },
      'found',
      2,
      /2 clients do/,
    ],
  ] as const)(
    '%s',
    (
      _,
      input: { curve: Partial<SyntheticCurve>; change?: Partial<Evidence> },
      kind,
      pick,
      because,
    ) => {
      expect(look(input.curve, input.change)).toMatchObject({
        kind: 'found',
        verdict: { kind, because: expect.stringMatching(because) as string },
        estimate: { pick },
      });
    },
  );

  test('a narrow interval that stays is enough once the usual time is over', () => {
    const curve = { noise: 0.3, rounds: 20, sizes: [1, 2], throughput: cores };
    const [early, late] = [false, true].map((isLong) =>
      look(
        { ...curve, throughput: (size) => (size === 1 ? 0.9 : 1) },
        { sizes: [1, 2], current: [1, 2], isLong },
      ),
    );
    expect([early?.kind, late?.kind]).toEqual(['continue', 'found']);
  });

  test('a spent budget takes what there is', () => {
    expect(look({ rounds: 3 }, { isBudgetSpent: true })).toMatchObject({
      kind: 'found',
      verdict: { kind: 'found' },
    });
  });
});

describe('refusing to name a number', () => {
  const wild = (foreignCores: number) =>
    Array.from({ length: 12 }, (_, seed) =>
      look(
        { noise: 0.9, rounds: 4, seed, throughput: () => 400, load: { ...calm, foreignCores } },
        { isBudgetSpent: true },
      ),
    );

  test('when not even four times the smallest size is enough, with what would help', () => {
    const answers = wild(1.4);
    const refused = answers.filter(({ kind }) => kind === 'inconclusive');
    expect(refused.length).toBeGreaterThanOrEqual(6);
    expect(refused[0]).toMatchObject({
      verdict: {
        kind: 'too-noisy',
        because: expect.stringMatching(
          /^Anything from \d+ to \d+ could be .* Other programs used 1\.4 of 4 cores: close what you can\. .*--seconds 90\.$/,
        ) as string,
      },
    });
    for (const answer of answers)
      if (answer.kind !== 'continue' && answer.estimate !== null)
        expect(answer.estimate.interval[1] > 4 * answer.estimate.interval[0]).toBe(
          answer.kind === 'inconclusive',
        );
  });

  test('when others use half of the cores, and the pick is one of several from end to end of a wide interval', () => {
    const [alone, beside] = [0, 2.4].map((foreignCores) =>
      look(
        {
          noise: 0.15,
          rounds: 6,
          seed: 1,
          throughput: (size: number) => (2000 * size) / (size + 2),
          load: { ...calm, foreignCores },
        },
        { isBudgetSpent: true },
      ),
    );
    expect([alone?.kind, beside?.kind]).toEqual(['found', 'inconclusive']);
    if (alone?.kind !== 'found') throw new Error('nothing found');
    const {
      confidence,
      interval: [low, high],
    } = alone.estimate;
    expect(confidence).toBeLessThan(0.5);
    expect([high >= 2 * low, high <= 4 * low]).toEqual([true, true]);
  });

  test('and nobody is told to close programs that use little', () => {
    expect(
      wild(0.1)
        .map((answer) => JSON.stringify(answer))
        .join(),
    ).not.toContain('close');
  });

  test('when nothing was measured', () => {
    expect(look({ rounds: 0 }, { isBudgetSpent: true })).toMatchObject({
      kind: 'inconclusive',
      estimate: null,
    });
  });
});
