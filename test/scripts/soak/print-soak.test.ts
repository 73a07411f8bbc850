import pc from 'picocolors';
import { expect, test } from 'vitest';
import { judge, type Series } from '../../../scripts/soak/judge.ts';
import { printSoak, soakToJson } from '../../../scripts/soak/print-soak.ts';
import { createRecording } from '../../../scripts/soak/record.ts';

const done = { 'looks of the panel': 140, probes: 3 };
const rising: Series = {
  name: 'heap, language server',
  kind: 'heap',
  points: Array.from({ length: 60 }, (_, at) => ({ at, value: 40 + at })),
};
const steady: Series = {
  name: 'sessions, poolguard',
  kind: 'count',
  points: Array.from({ length: 60 }, (_, at) => ({ at, value: 1 })),
};

function printed(...series: readonly Series[]): string {
  return printSoak(
    { series, seconds: 60, done },
    series.map((each) => judge(each, 15)),
    pc.createColors(false),
  );
}

test('what grows is named below the table, with its figures in it', () => {
  const text = printed(rising, steady);
  expect(text).toMatch(
    /heap, language server +│ +45 │ 62\.0 MB │ 92\.0 MB │ \+44\.0 MB │ +\+6\.2 MB │ grows/u,
  );
  expect(text).toMatch(/sessions, poolguard +│ +45 │ +1 │ +1 │ +0 │ +\+1 │ flat/u);
  expect(text.split('\n').slice(-2)).toEqual([
    '60 s: 140 looks of the panel, 3 probes.',
    'Grows: heap, language server.',
  ]);
});

test('a soak in which nothing grows says so, and so does one that was too short', () => {
  expect(printed(steady)).toContain('Nothing grows.');
  expect(printed({ ...steady, points: steady.points.slice(0, 16) })).toContain(
    'Too short to say anything.',
  );
});

test('for machines there are the points as well, and why it ended early', () => {
  const json = JSON.parse(
    soakToJson({ series: [steady], seconds: 60, done, failure: 'no more' }, [judge(steady, 15)]),
  ) as { failure: string; watched: readonly { verdict: string; points: readonly object[] }[] };
  expect(json.failure).toBe('no more');
  expect(json.watched.map(({ verdict, points }) => [verdict, points.length])).toEqual([
    ['flat', 60],
  ]);
});

test('a recording keeps each name apart, by the time of its own clock', () => {
  let now = 0;
  const recording = createRecording(() => (now += 1));
  recording.note('a', 'count', 5);
  recording.note('b', 'heap', 7);
  recording.note('a', 'count', 6);
  expect(recording.series()).toEqual([
    {
      name: 'a',
      kind: 'count',
      points: [
        { at: 1, value: 5 },
        { at: 3, value: 6 },
      ],
    },
    { name: 'b', kind: 'heap', points: [{ at: 2, value: 7 }] },
  ]);
});
