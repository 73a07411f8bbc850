import { beforeAll, expect, test } from 'vitest';
import { listTables } from '../../../../src/probe/workload/named-tables.ts';
import { loadSqlParser, type SqlParser } from '../../../../src/probe/workload/sql-parser.ts';

let parse: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parse = loaded.parse;
});

test.each<readonly [string, readonly string[]]>([
  ['SELECT 1', []],
  ['SELECT * FROM orders', ['orders: SELECT']],
  [
    'SELECT * FROM a JOIN "My".b ON (a.id = b.id) WHERE a.x IN (SELECT x FROM c) UNION TABLE a',
    ['a: SELECT', 'My.b: SELECT', 'c: SELECT'],
  ],
  ['WITH orders AS (SELECT * FROM sales.orders) SELECT * FROM orders', ['sales.orders: SELECT']],
  ['WITH orders AS (SELECT 1) SELECT * FROM public.orders', ['public.orders: SELECT']],
  [
    'SELECT * FROM pg_class, pg_catalog.pg_proc, information_schema.tables, generate_series(1, 2)',
    [],
  ],
  ['SELECT * FROM a, b FOR UPDATE OF a', ['a: SELECT, UPDATE', 'b: SELECT, UPDATE']],
  ['INSERT INTO a SELECT * FROM b', ['a: SELECT, INSERT', 'b: SELECT']],
  ['UPDATE a SET x = 1 FROM b', ['a: SELECT, UPDATE', 'b: SELECT']],
  [
    'WITH gone AS (DELETE FROM a RETURNING *) INSERT INTO s.a SELECT * FROM gone',
    ['a: SELECT, DELETE', 's.a: SELECT, INSERT'],
  ],
  [
    'MERGE INTO a USING b ON (a.id = b.id) WHEN MATCHED THEN DELETE',
    ['a: SELECT, INSERT, UPDATE, DELETE', 'b: SELECT'],
  ],
  ['SELECT * FROM a; DELETE FROM a', ['a: SELECT, DELETE']],
])('%s', (sql, expected) => {
  const parsed = parse(sql);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const found = listTables(parsed.statements).map(
    ({ schema, table, privileges }) =>
      `${schema === null ? '' : `${schema}.`}${table}: ${privileges.join(', ')}`,
  );
  expect(found.toSorted()).toEqual([...expected].toSorted());
});
