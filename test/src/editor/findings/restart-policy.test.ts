import { expect, test } from 'vitest';
import {
  createRestartPolicy,
  type AfterDeath,
} from '../../../../src/editor/findings/restart-policy.ts';

/** What follows on deaths that come so many seconds after each other. */
function afterDeaths(...secondsApart: readonly number[]): AfterDeath[] {
  const clock = { ms: 0 };
  const policy = createRestartPolicy(() => clock.ms);
  return secondsApart.map((seconds) => {
    clock.ms += seconds * 1000;
    return policy.died();
  });
}

const waits = (verdicts: readonly AfterDeath[]) =>
  verdicts.map((verdict) => (verdict.kind === 'restart' ? verdict.waitMs / 1000 : 'stop'));

test.each([
  [
    'each death in a row doubles the wait, and the sixth is the last',
    [0, 1, 2, 4, 8, 16, 1],
    [1, 2, 4, 8, 16, 'stop', 'stop'],
  ],
  ['a server that lived for more than five minutes was well', [0, 10, 301, 10], [1, 2, 1, 2]],
  ['one that lived for five minutes was not', [0, 300], [1, 2]],
])('%s', (_name, secondsApart, expected) => {
  expect(waits(afterDeaths(...secondsApart))).toEqual(expected);
});

test('only the first death is news, also when another row begins', () => {
  expect(
    afterDeaths(0, 1, 400, 1).map((verdict) => verdict.kind === 'restart' && verdict.isNews),
  ).toEqual([true, false, false, false]);
});

test('a start by hand begins a new row', () => {
  const policy = createRestartPolicy(() => 0);
  const row = () => Array.from({ length: 6 }, () => policy.died());
  expect(row().at(-1)).toEqual({ kind: 'stop', deaths: 6 });
  policy.forget();
  expect(row()[0]).toEqual({ kind: 'restart', waitMs: 1000, isNews: true });
});
