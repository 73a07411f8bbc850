import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { load } from 'js-yaml';
import { runInProcess } from '../support/cli-run.ts';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { arrivalsPlan, usersPlan } from '../support/k6-plans.ts';
import { writeScript } from '../../src/k6/write-script.ts';
import { loadScript } from '../support/k6-script.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const page = readFileSync(join(resolve(import.meta.dirname, '../..'), 'docs/k6.md'), 'utf8');
const commands = codeBlocksOf(page)
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'));
const exports = commands.filter(
  (command) => command.startsWith('npx poolguard') && command.includes('--export k6'),
);

test.each(exports)('%s', async (command) => {
  await using folder = await createTemporaryFolder();
  const { code, stdout, stderr } = await runInProcess([
    ...command.split(' ').slice(2),
    '--output-dir',
    folder.path,
  ]);
  expect([code, stderr]).toEqual([0, '']);
  const script = readFileSync(join(folder.path, 'poolguard-k6.js'), 'utf8');
  expect(Object.keys(loadScript(script).options.scenarios)).toHaveLength(1);
  const testRun = readFileSync(join(folder.path, 'poolguard-k6-testrun.yaml'), 'utf8');
  expect((load(testRun) as { readonly kind: string }).kind).toBe('TestRun');
  // The page, what the command prints, and the files say the same commands.
  const cluster = commands.filter((each) => each.startsWith('kubectl'));
  for (const line of cluster) expect(testRun).toContain(line);
  for (const line of cluster.slice(0, 2)) expect(stdout).toContain(line);
});

test('the page has every kind of export, and a k6 run as the scripts name it', () => {
  expect(
    new Set(
      exports.map((command) =>
        /poolguard ((?:probe )?\w+)/.exec(command)?.[1]?.replace(/ --.*/, ''),
      ),
    ),
  ).toEqual(new Set(['probe ramp', 'probe sweep', 'probe', 'sweep']));
  expect(writeScript(arrivalsPlan)).toContain(
    commands.find((command) => command.startsWith('k6 run')),
  );
});

test('the table names every variable of the scripts', () => {
  const read = [arrivalsPlan, usersPlan].flatMap((plan) =>
    [...writeScript(plan).matchAll(/__ENV\.(\w+)|numberOf\('(\w+)'/g)].map(
      ([, named, counted]) => named ?? counted ?? '',
    ),
  );
  for (const name of new Set(read)) expect(page).toContain(`\`${name}`);
});

test('the arithmetic of the page is that of the scripts', () => {
  const script = writeScript({
    ...arrivalsPlan,
    sharing: { workers: 4, instances: 3, deployOverlap: 1 },
  });
  for (const sum of [
    'A pool of 20 × 4 workers × 3 instances = up to 240 connections, and 480 while a deploy runs both versions',
  ]) {
    expect(script).toContain(sum);
    expect(page).toContain(sum.slice(2));
  }
  expect(loadScript(script).options.scenarios['arrivals']?.stages.at(-1)?.target).toBe(3600);
  const formula =
    codeBlocksOf(page)
      .find(({ text }) => text.startsWith('connections = '))
      ?.text.trim()
      .split(' = ')[1] ?? '';
  const numbers: Readonly<Record<string, number>> = {
    'max of a pool': 20,
    'workers of an instance': 4,
    instances: 3,
  };
  expect(
    formula.split(' × ').reduce((product, factor) => product * (numbers[factor] ?? Number.NaN), 1),
  ).toBe(240);
});
