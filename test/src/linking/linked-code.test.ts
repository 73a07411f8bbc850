import { expect, test } from 'vitest';
import { commentedPlace, linkCode } from '../../../src/linking/linked-code.ts';
import { aStatement } from '../../support/a-statement.ts';

const sql = 'SELECT id FROM users WHERE id = $1';
const code = linkCode({
  pools: [],
  isCut: false,
  queries: [],
  statements: [
    aStatement(sql, { findings: [{ rule: 'no-unreleased-client', line: 40 }] }),
    aStatement(sql, { line: 90 }),
    aStatement('SELECT id FROM orders', { path: 'src/orders.ts', line: 3 }),
  ],
});

test('a place is told with how sure it is, how many others there are, and what the rules say', () => {
  expect(code.placeOf(sql)).toEqual({
    label: 'src/users.ts:42',
    match: 'exact',
    others: 1,
    rule: 'no-unreleased-client',
  });
  expect(code.placesOf(sql)?.places.map(({ line }) => line)).toEqual([42, 90]);
});

test('a text that nobody writes by hand is not looked up', () => {
  const long = `SELECT id FROM users WHERE name = '${'x'.repeat(30_000)}'`;
  const linked = linkCode({ pools: [], queries: [], isCut: false, statements: [aStatement(long)] });
  expect(linked.placeOf(long)).toBeNull();
});

test('no place is said to be none', () => {
  expect(code.placeOf('SELECT relname FROM pg_class')).toBeNull();
});

test.each([
  ['behind', "SELECT 1 /*db_driver='pg',file='src%2Fusers.ts%3A90%3A14'*/", 'src/users.ts:90'],
  ['before', "/*file='src%2Forders.ts%3A7'*/ SELECT anything", 'src/orders.ts:7'],
  ['of another machine', "SELECT 1 /*file='%2Fapp%2Fsrc%2Fusers.ts%3A42%3A1'*/", 'src/users.ts:42'],
])('a comment %s a statement names its place', (_where, query, label) => {
  expect(code.placeOf(query)).toMatchObject({ label, match: 'exact' });
});

test.each([
  ['there is no such file', `${sql} /*file='dist%2Fusers.js%3A7'*/`],
  ['it names none', `${sql} /*traceparent='00-5b-a9-01'*/`],
  ['its escapes mean nothing', `${sql} /*file='%E0%A4%A.ts%3A7'*/`],
  ['it leads out of the workspace', `${sql} /*file='..%2Fusers.ts%3A7'*/`],
])('the statement itself counts where %s', (_when, query) => {
  expect(code.placeOf(query)).toMatchObject({ label: 'src/users.ts:42', others: 1 });
});

test('an ordinary comment is no list of facts', () => {
  expect(commentedPlace('SELECT 1 /* see users.ts:3 */')).toBeNull();
});
