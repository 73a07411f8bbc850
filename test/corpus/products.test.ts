import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import plugin from '../../rules/index.ts';
import { productTables, verdicts } from '../../scripts/docs/product-table.ts';
import { readTable, type Cell } from './runner/table.ts';

const read = (file: string) => readTable(join(import.meta.dirname, file));
const products = read('product-repositories.tsv');
const reports = read('products.tsv');

const placeOf = (cell: Cell) => `${cell('repo')} ${cell('path')}:${cell('line')} ${cell('rule')}`;
const reportsWhere = (isWrong: (cell: Cell) => boolean) =>
  reports.rows.filter(isWrong).map(placeOf);

test('each report names a rule, a verdict and why', () => {
  const rules = Object.keys(plugin.rules);
  expect(reportsWhere((cell) => !rules.includes(cell('rule')))).toEqual([]);
  expect(
    reportsWhere((cell) => !(verdicts as readonly string[]).includes(cell('verdict'))),
  ).toEqual([]);
  expect(reportsWhere((cell) => cell('note') === '')).toEqual([]);
});

test('each report stands in a product, at the commit that was linted', () => {
  const linted = products.rows.map((cell) => `${cell('repo')} ${cell('commit')}`);
  expect(new Set(linted).size).toBe(linted.length);
  expect(reportsWhere((cell) => !linted.includes(`${cell('repo')} ${cell('commit')}`))).toEqual([]);
});

test('each product says how many files it has, and how many of them were linted', () => {
  const isWrong = (cell: Cell) =>
    !(0 < Number(cell('linted')) && Number(cell('linted')) <= Number(cell('files')));
  expect(products.rows.filter(isWrong).map((cell) => cell('repo'))).toEqual([]);
});

test('docs/accuracy.md says how many products have labels', () => {
  const labelled = ['sites.tsv', 'wild.tsv', 'transactions.tsv'].flatMap((file) =>
    read(file).rows.map((cell) => cell('repo')),
  );
  const known = products.rows.filter((cell) => labelled.includes(cell('repo'))).length;
  const text = readFileSync(join(import.meta.dirname, '../../docs/accuracy.md'), 'utf8');
  expect(text).toContain(`${known} of them are in the sets above as well`);
});

test('the tables count by rule and by repository', () => {
  const commit = 'a'.repeat(40);
  const report = { repo: 'one/shop', rule: 'no-nested-checkout' };
  const text = productTables({
    products: [
      { repo: 'one/shop', commit, libraries: 'knex', files: 1200, linted: 90 },
      { repo: 'two/desk', commit, libraries: 'prisma', files: 30, linted: 8 },
    ],
    reports: [
      { ...report, verdict: 'right' },
      { ...report, verdict: 'right' },
      { ...report, verdict: 'debatable' },
      { ...report, rule: 'no-session-state', verdict: 'false' },
    ],
  });
  expect(text).toBe(
    [
      '2 repositories, 1,230 source files, 98 of them linted, 4 reports: 2 right, 1 debatable, 1 false.',
      '',
      '| rule | reports | right | debatable | false |',
      '|---|---|---|---|---|',
      '| no-nested-checkout | 3 | 2 | 1 | 0 |',
      '| no-session-state | 1 | 0 | 0 | 1 |',
      '',
      '| repository | libraries | files | linted | reports | right | debatable | false |',
      '|---|---|---|---|---|---|---|---|',
      `| [one/shop](https://github.com/one/shop/tree/${commit}) | knex | 1,200 | 90 | 4 | 2 | 1 | 1 |`,
      `| [two/desk](https://github.com/two/desk/tree/${commit}) | prisma | 30 | 8 | 0 | 0 | 0 | 0 |`,
    ].join('\n'),
  );
});
