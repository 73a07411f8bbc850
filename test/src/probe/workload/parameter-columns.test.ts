import { beforeAll, expect, test } from 'vitest';
import { findParameterColumns } from '../../../../src/probe/workload/parameter-columns.ts';
import { loadSqlParser, type SqlParser } from '../../../../src/probe/workload/sql-parser.ts';

let parse: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parse = loaded.parse;
});

/** `$1 users.id`; `[]` where it is a list, `|` between tables of one FROM, `>` before those of the query around it. */
function found(sql: string): readonly string[] {
  const parsed = parse(sql);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const columns = findParameterColumns(parsed.statements[0] ?? {});
  return [...columns]
    .sort(([one], [other]) => one - other)
    .map(([number, { scopes, isList }]) => {
      const places = scopes.map((tables) =>
        tables
          .map(({ schema, table, column }) =>
            [...(schema === null ? [] : [schema]), table, column].join('.'),
          )
          .join(' | '),
      );
      return `$${number} ${places.join(' > ')}${isList ? '[]' : ''}`;
    });
}

test.each<readonly [sql: string, columns: readonly string[]]>([
  ['SELECT * FROM users WHERE id = $1', ['$1 users.id']],
  ['SELECT * FROM users WHERE $1::int = id', ['$1 users.id']],
  [
    'SELECT * FROM shop.users AS u WHERE u.id = $1 AND u.city <> $2',
    ['$1 shop.users.id', '$2 shop.users.city'],
  ],
  ['SELECT * FROM a, b WHERE x = $1', ['$1 a.x | b.x']],
  [
    'SELECT * FROM a JOIN b ON a.id = b.id AND b.kind = $1 WHERE a.x >= $2',
    ['$1 b.kind', '$2 a.x'],
  ],
  ['SELECT * FROM t WHERE a BETWEEN $1 AND $2', ['$1 t.a', '$2 t.a']],
  ['SELECT * FROM t WHERE a IN ($1, 3, $2) OR b NOT IN ($3)', ['$1 t.a', '$2 t.a', '$3 t.b']],
  ['SELECT * FROM t WHERE a = ANY($1) AND b <> ALL($2::text[])', ['$1 t.a[]', '$2 t.b[]']],
  ['SELECT * FROM t WHERE (a, b) > ($1, $2)', ['$1 t.a', '$2 t.b']],
  ['SELECT * FROM t WHERE a IS NOT DISTINCT FROM $1', ['$1 t.a']],
  ['UPDATE t SET a = $1, n = n + $2 WHERE id = $3', ['$1 t.a', '$3 t.id']],
  ['DELETE FROM t USING u WHERE t.id = u.t AND u.kind = $1', ['$1 u.kind']],
  [
    'SELECT * FROM a WHERE EXISTS (SELECT FROM b WHERE x = $1 AND a.y = $2)',
    ['$1 b.x > a.x', '$2 a.y'],
  ],
  ['SELECT 1 FROM a WHERE x = $1 UNION SELECT 2 FROM b WHERE y = $2', ['$1 a.x', '$2 b.y']],
  [
    'WITH recent AS (SELECT * FROM orders WHERE at > $1) SELECT * FROM recent WHERE n = $2',
    ['$1 orders.at'],
  ],
  ['SELECT * FROM (SELECT count(*) AS n FROM t) AS s WHERE s.n > $1', []],
  ['SELECT * FROM t WHERE lower(a) = $1 AND b = lower($2) AND c = $3 + 1', []],
  ['SELECT * FROM t WHERE a LIKE $1 OR b ~ $2', []],
  ['SELECT * FROM t LIMIT $1 OFFSET $2', []],
  ['INSERT INTO t (a) VALUES ($1)', []],
  ['SELECT * FROM t WHERE a = $1 OR b = $1', []],
  ['SELECT * FROM t WHERE a OPERATOR(public.=) $1', []],
  ['SELECT * FROM t WHERE $1 = ANY(tags)', []],
])('%s', (sql, columns) => {
  expect(found(sql)).toEqual(columns);
});

test('a statement that is nested deeply takes no stack', () => {
  const depth = 2000;
  const sql = `SELECT * FROM t WHERE ${'NOT ('.repeat(depth)}a = $1${')'.repeat(depth)}`;
  expect(found(sql)).toEqual(['$1 t.a']);
});
