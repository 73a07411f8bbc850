import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { bundleEntry, type Bundle } from '../support/bundle.ts';
import { runExamples } from './run-examples.ts';
import { harms } from './rows.ts';

let player: Bundle;

beforeAll(async () => {
  player = await bundleEntry('test/harm/player.ts');
});

afterAll(() => player[Symbol.asyncDispose]());

test('each rule has its harm seen', () => {
  expect([...new Set(harms.map(({ rule }) => rule))].sort()).toEqual(
    Object.keys(plugin.rules).sort(),
  );
});

describe.for(Object.keys(plugin.rules))('%s', (rule) => {
  const rows = harms.filter((row) => row.rule === rule);
  let runs: Awaited<ReturnType<typeof runExamples>>;

  beforeAll(async () => {
    runs = await runExamples(rows, player.file);
  });

  test.for(
    rows.flatMap(({ name, wrong, right }) =>
      [wrong, right].map((observed) => ({ name, example: observed.example, observed })),
    ),
  )('$name: $example', ({ observed }) => {
    const { seen, code = 0, stderr = /^$/u } = observed;
    expect(runs.get(observed)).toEqual({
      seen,
      code,
      stderr: expect.stringMatching(stderr) as string,
    });
  });
});
