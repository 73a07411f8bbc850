import { describe, expect, test } from 'vitest';
import {
  exitCodeOf,
  judge,
  slopeOf,
  type Judged,
  type Series,
} from '../../../scripts/soak/judge.ts';

/** A look a second, 120 of them. */
function series(kind: Series['kind'], value: (second: number) => number, looks = 120): Series {
  return {
    name: 'something',
    kind,
    points: Array.from({ length: looks }, (_, at) => ({ at, value: value(at) })),
  };
}

/** The same for everybody who runs this: from −1 to 1, without a trend. */
const noise = (second: number): number => Math.sin(second * 12.9898) * Math.cos(second * 78.233);
const sawTooth = (second: number): number => second % 20;

describe('after a warm-up of 30 seconds', () => {
  test.each<[string, Judged['verdict'], Series]>([
    ['memory that stays', 'flat', series('heap', () => 40)],
    ['memory with noise', 'flat', series('heap', (at) => 40 + 3 * noise(at))],
    ['a saw-tooth', 'flat', series('heap', (at) => 20 + sawTooth(at))],
    ['memory that shrinks', 'flat', series('heap', (at) => 80 - at / 4)],
    ['growth that ends with the warm-up', 'flat', series('heap', (at) => Math.min(at, 30) * 2)],
    ['one high look', 'flat', series('heap', (at) => (at === 119 ? 400 : 40))],
    ['growth within a tenth', 'flat', series('heap', (at) => 100 + at / 20)],
    ['a leak of 0.1 MB a second', 'grows', series('heap', (at) => 20 + at / 10)],
    ['the same leak under noise', 'grows', series('heap', (at) => 20 + at / 10 + 2 * noise(at))],
    [
      'the same leak under a saw-tooth',
      'grows',
      series('heap', (at) => 20 + at / 10 + sawTooth(at)),
    ],
    ['a leak in steps', 'grows', series('heap', (at) => 20 + 4 * Math.floor(at / 30))],
    [
      'resident memory that settles within a fifth',
      'flat',
      series('resident', (at) => 160 + at / 6),
    ],
    ['resident memory of one MB more a second', 'grows', series('resident', (at) => 160 + at)],
    [
      'two sessions, now and then three',
      'flat',
      series('sessions', (at) => (at % 7 === 0 ? 3 : 2)),
    ],
    [
      'one more descriptor every 20 seconds',
      'grows',
      series('count', (at) => 1 + Math.floor(at / 20)),
    ],
    [
      'a session every 40 seconds that is not closed',
      'grows',
      series('sessions', (at) => 1 + Math.floor(at / 40)),
    ],
    [
      'a session that is closed and opened again',
      'flat',
      series('sessions', (at) => (at % 11 === 0 ? 0 : 1)),
    ],
    ['a descriptor more', 'flat', series('count', (at) => (at < 70 ? 20 : 21))],
    ['nothing left behind', 'flat', series('left', () => 0, 3)],
    ['something left behind once', 'grows', series('left', (at) => (at === 1 ? 1 : 0), 3)],
    ['fewer looks than tell anything', 'unknown', series('heap', (at) => at, 38)],
    ['looks that saw nothing', 'unknown', series('resident', () => Number.NaN)],
    ['no look', 'unknown', series('left', () => 0, 0)],
  ])('%s: %s', (_name, verdict, watched) => {
    expect(judge(watched, 30).verdict).toBe(verdict);
  });
});

test('the figures say how much, and how much would be allowed', () => {
  expect(
    judge(
      series('heap', (at) => 100 + at),
      30,
    ),
  ).toEqual({
    name: 'something',
    kind: 'heap',
    verdict: 'grows',
    looks: 90,
    early: 144.5,
    late: 204.5,
    trend: 89,
    allowed: 14.450000000000001,
  });
});

test('a trend is the median of all pairs, also of more points than are paired', () => {
  expect(
    slopeOf([
      { at: 0, value: 0 },
      { at: 1, value: 2 },
      { at: 2, value: 100 },
      { at: 3, value: 6 },
    ]),
  ).toBe(2);
  expect(slopeOf(series('heap', (at) => 3 * at, 5_000).points)).toBe(3);
  expect(slopeOf([{ at: 1, value: 1 }])).toBeNaN();
});

test.each([
  [0, ['flat', 'unknown']],
  [1, ['flat', 'grows']],
  [2, ['unknown', 'unknown']],
  [2, []],
] as const)('exit code %i for %o', (code, verdicts) => {
  expect(
    exitCodeOf(
      verdicts.map((verdict) => ({
        ...judge(
          series('heap', () => 1),
          0,
        ),
        verdict,
      })),
    ),
  ).toBe(code);
});
