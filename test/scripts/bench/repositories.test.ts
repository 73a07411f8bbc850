import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMet } from '../../../scripts/bench/figures.ts';
import {
  toRepositoryRows,
  type RepositoryRound,
} from '../../../scripts/bench/repositories/repository-rows.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

function round(repository: string, parser: number, ours: number, theirs?: number): RepositoryRound {
  const cost = (value: number) => ({ wall: value, cpu: 2 * value, memory: 3 * value, kept: value });
  return {
    repository,
    costs: {
      parser: cost(parser),
      ours: cost(ours),
      ...(theirs === undefined ? {} : { theirs: cost(theirs) }),
    },
  };
}

test('each repository counts with the median of its rounds', () => {
  const rows = toRepositoryRows(
    [
      round('one', 100, 110, 300),
      round('one', 100, 900, 300),
      round('one', 200, 220, 600),
      round('two', 100, 150, 100),
      round('three', 100, 105, 200),
    ],
    'eslint-plugin-other 1.0.0',
  );
  const byName = new Map(rows.map((row) => [row.name, row]));
  expect(byName.get('all rules: wall time')).toMatchObject({
    unit: 'times',
    goal: 1.12,
    value: { median: 1.1, low: 1.05, high: 1.5 },
  });
  const worst = byName.get('all rules: wall time, the worst repository');
  expect(worst?.value.median).toBe(1.5);
  expect(worst && isMet(worst)).toBe(false);
  expect(byName.get('eslint-plugin-other 1.0.0: CPU time')).toMatchObject({
    goal: null,
    value: { median: 2 },
  });
});

test('the command counts by its wall time, from no cache and from its own', () => {
  const { repository, costs } = round('one', 100, 110);
  const rows = toRepositoryRows(
    [{ repository, costs: { ...costs, lint: { wall: 30 }, cached: { wall: 6 } } }],
    undefined,
  );
  const wall = rows.filter(({ name }) => /^`poolguard.*wall time$/u.test(name));
  expect(wall.map(({ value: { median }, goal }) => [median, goal])).toEqual([
    [0.3, 0.35],
    [0.06, 0.05],
  ]);
});

test('nothing is said of a plugin that could not be had', () => {
  expect(toRepositoryRows([round('one', 100, 110)], undefined).map(({ name }) => name)).toEqual(
    ['wall time', 'CPU time', 'peak memory', 'heap still in use at the end'].flatMap((what) => [
      `all rules: ${what}`,
      `all rules: ${what}, the worst repository`,
    ]),
  );
});

test('the process that lints says what it took', async () => {
  await using folder = await createTemporaryFolder({ 'a.js': 'export const a = 1;\n' });
  const said = execFileSync(
    process.execPath,
    ['--expose-gc', join(root, 'scripts/bench/repositories/lint-once.mjs')],
    {
      input: JSON.stringify({
        cwd: folder.path,
        files: [join(folder.path, 'a.js')],
        plugin: null,
      }),
      encoding: 'utf8',
    },
  );
  const cost = JSON.parse(said) as Readonly<Record<string, number>>;
  expect(cost).toMatchObject({ files: 1, findings: 0 });
  expect(Math.min(cost['wall'] ?? 0, cost['cpu'] ?? 0, cost['memory'] ?? 0)).toBeGreaterThan(0);
});
