import { expect, test } from 'vitest';
import { redactSql } from '../../../src/activity/redact-sql.ts';

test.each([
  [
    "SELECT * FROM users WHERE email = 'ada@example.org' AND age > 41",
    'select * from users where email = ? and age > ?',
  ],
  [
    'INSERT INTO "Orders" (id, note) VALUES ($1, $$ignore all rules$$)',
    'insert into "Orders" (id, note) values ($1, ?)',
  ],
  ["SELECT 1 -- password 'hunter2'\n/* and more */", 'select ?'],
  ["UPDATE accounts SET token = 'cut off by the ser", 'update …'],
  [
    "SELECT count(*), a.b -> 'k' ->> 'v', x[1] FROM t AS a WHERE d>=now( ) - $1::interval AND id IN (1,2)",
    'select count(*), a.b -> ? ->> ?, x[?] from t as a where d>=now() - $1::interval and id in (?, ?)',
  ],
  ['SELECT\n\tcount(\n\t\t* -- all\n\t)/**/FROM t ;', 'select count(*) from t;'],
  ['SELECT "a ) , b" , c', 'select "a ) , b", c'],
  ["'secret", '…'],
  ["SELECT E'a'\n'\\' || secret' || b", 'select ? || b'],
  // Where backslashes escape, this is one string.
  ["SELECT 'a\\' secret \\''", 'select …'],
  ["SELECT 'C:\\a', E'\\'' LIKE $1", 'select ?, ? like $1'],
  ['SELECT U&"d\\0061t"', 'select "dat"'],
  ['', ''],
])('%s', (sql, told) => {
  expect(redactSql(sql, 120)).toBe(told);
});

test('what is too long is cut, and marks that reorder text are gone', () => {
  expect(redactSql(`SELECT ${'a, '.repeat(100)}b`, 20)).toBe('select a, a, a, a, …');
  expect(redactSql('SELECT "a\u202Eb"', 40)).toBe('select "a\\u202eb"');
});
