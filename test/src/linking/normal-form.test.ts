import { expect, test } from 'vitest';
import { mayBecome, normalForm } from '../../../src/linking/normal-form.ts';

test.each([
  ['case and white space', 'SELECT  id\n FROM Users', 'select id from users'],
  ['comments', 'SELECT id -- which\nFROM /* all /* of */ them */ users', 'select id from users'],
  ['a semicolon at the end', 'SELECT id FROM users ; ', 'select id from users'],
  ['parameters', 'SELECT id FROM users WHERE id = $1', 'select id from users where id = ?'],
  ['named parameters', 'SELECT id FROM users WHERE id = :id', 'select id from users where id = ?'],
  [
    'strings and numbers',
    "SELECT id FROM users WHERE a = 'it''s' AND b = 1.5e3",
    'select id from users where a = ? and b = ?',
  ],
  ['dollar quotes', 'SELECT $tag$ it is; $$ -- $tag$ FROM t', 'select ? from t'],
  [
    'lists behind IN',
    'SELECT id FROM t WHERE id IN ($1, $2, 3)',
    'select id from t where id in ( ? )',
  ],
  [
    'lists of an array',
    'SELECT id FROM t WHERE id = ANY(ARRAY[$1, $2])',
    'select id from t where id = any ( array [ ? ] )',
  ],
  [
    'rows behind VALUES',
    'INSERT INTO t (a, b) VALUES ($1, now()), ($2, now()), ($3, now()) RETURNING a',
    'insert into t ( a , b ) values ( ? , now ( ) ) returning a',
  ],
])('%s are alike', (_what, sql, normal) => {
  expect(normalForm(sql).text).toBe(normal);
});

test.each([
  ['quoted names and keywords', 'SELECT "user" FROM t', 'SELECT user FROM t'],
  ['quoted names of another case', 'SELECT "Id" FROM t', 'SELECT "id" FROM t'],
  ['a cast and a parameter', 'SELECT a::text FROM t', 'SELECT a:text FROM t'],
  ['a slice and a parameter', 'SELECT a[lo:hi] FROM t', 'SELECT a[lo] FROM t'],
  ['rows of another shape', 'INSERT INTO t VALUES ($1), ($2, $3)', 'INSERT INTO t VALUES ($1)'],
  ['arguments of a function', 'SELECT f($1, $2)', 'SELECT f($1)'],
  [
    'a list and a subquery',
    'SELECT id FROM t WHERE id IN (SELECT 1)',
    'SELECT id FROM t WHERE id IN (1)',
  ],
])('%s differ', (_what, one, other) => {
  expect(normalForm(one).text).not.toBe(normalForm(other).text);
});

test.each([
  ['a parameter may be any value', '$1', "'paid'", true],
  ['a value stays', "'paid'", "'paid'", true],
  ['a value becomes no other one', "'paid'", "'new'", false],
  ['a value becomes no parameter', "'paid'", '$1', false],
])('%s', (_what, code, seen, may) => {
  const constantsOf = (value: string) =>
    normalForm(`SELECT id FROM orders WHERE state = ${value}`).constants;
  expect(mayBecome(constantsOf(code), constantsOf(seen))).toBe(may);
});
