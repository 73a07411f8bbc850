import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSites } from './runner/labels.ts';
import { readTable, type Cell } from './runner/table.ts';

const file = join(import.meta.dirname, 'transactions.tsv');
const { columns, rows } = readTable(file);
const { set, sites } = readSites(file);

const placeOf = (cell: Cell) => `${cell('repo')} ${cell('path')}:${cell('line')}`;
const rowsWhere = (isWrong: (cell: Cell) => boolean) => rows.filter(isWrong).map(placeOf);

test('has the columns that label-sets.ts explains', () => {
  expect(columns.join(' ')).toBe(
    'repo commit path line end_line library form outer slow concurrent manual escapes kind confidence reason',
  );
  expect(set.hasRegions).toBe(true);
});

test('each row has a cell for each column', () => {
  expect(rowsWhere((cell) => columns.some((column) => cell(column) === ''))).toEqual([]);
});

const words = {
  library:
    'drizzle prisma kysely knex objection sequelize typeorm mikroorm postgres slonik pg-promise databases bun typeorm-transactional nestjs-cls als',
  form: 'callback manual decorator named-callback array connection',
  kind: 'product library app test example',
  confidence: 'high medium low',
};

test.each(Object.entries(words))('column %s holds one of %s', (column, known) => {
  expect(rowsWhere((cell) => !known.split(' ').includes(cell(column)))).toEqual([]);
});

test('what is labelled lies in its region', () => {
  const outside = sites.filter(({ line, endLine, labels }) => {
    const lines = Object.values(labels).flatMap((label) => label.lines);
    const end = endLine ?? 0;
    return end < line || lines.some((each) => each < line || each > end);
  });
  expect(outside.map(({ repo, path, line }) => `${repo} ${path}:${line}`)).toEqual([]);
});

test('no site is labelled twice, and a repository is labelled at one commit', () => {
  const places = rows.map(placeOf);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  const commits = new Set(sites.map(({ repo, commit }) => `${repo}@${commit}`));
  expect(commits.size).toBe(new Set(sites.map(({ repo }) => repo)).size);
});
