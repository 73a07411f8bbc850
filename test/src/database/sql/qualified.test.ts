import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadSqlParser,
  type SqlNode,
  type SqlParser,
} from '../../../../src/probe/workload/sql-parser.ts';
import { findSchemas, findUnqualified } from '../../../support/unqualified-names.ts';

let parser: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parser = loaded.parse;
});

function parse(sql: string): readonly SqlNode[] {
  const parsed = parser(sql);
  if (parsed.kind === 'problem') throw new Error(`${parsed.sentence}\n${sql}`);
  return parsed.statements;
}

/** Arguments of each function, so chosen that every part of its text is seen. */
const argumentsOf: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  guardSql: [[{ transaction_read_only: 'on', lock_timeout: '500' }]],
  parseGuardSql: [[{ statement_timeout: '2000', lock_timeout: '500' }]],
  setSql: [['search_path', 'pg_catalog, pg_temp']],
  setKnownSql: [[{ idle_session_timeout: '0', transaction_timeout: '7000' }]],
  readBackSql: [[['search_path', 'standard_conforming_strings']]],
  activitySql: [[{ namesBlockers: true }], [{ namesBlockers: false }]],
  showSql: [['version'], ['pools'], ['stats'], ['databases'], ['config'], ['clients'], ['servers']],
  topStatementsSql: [
    ['public', '1.7'],
    ['odd "schema\'s', '1.8'],
    ['public', '1.12'],
  ],
};

/** Schemas other than `pg_catalog`: where an extension lies is asked first. */
const furtherSchemas: Readonly<Record<string, readonly string[]>> = {
  topStatementsSql: ['public', 'odd "schema\'s'],
};

const folder = new URL('../../../../src/database/sql/', import.meta.url);
const modules = await Promise.all(
  readdirSync(folder).map(async (file) => ({
    file,
    exports: (await import(new URL(file, folder).href)) as object,
  })),
);
const exported = modules.flatMap(({ file, exports }) =>
  Object.entries(exports).map(([name, value]) => ({ file, name, value: value as unknown })),
);

function textsOf(name: string, value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const variants = argumentsOf[name];
  if (typeof value !== 'function' || variants === undefined) {
    throw new Error(
      `${name} is neither a text nor a function with arguments in the table of this test.`,
    );
  }
  const toText = value as (...given: readonly unknown[]) => string;
  return variants.map((given) => toText(...given));
}

describe('statements of Poolguard', () => {
  test('every module has statements', () => {
    for (const { file, exports } of modules) {
      expect(file).toMatch(/\.sql\.ts$/);
      expect(exports).not.toEqual({});
    }
    expect(
      Object.keys(argumentsOf).filter((name) => exported.every((other) => other.name !== name)),
    ).toEqual([]);
  });

  test.each(exported)('$name of $file leaves nothing to search_path', ({ name, value }) => {
    for (const text of textsOf(name, value)) {
      const statements = parse(text);
      expect(statements).not.toHaveLength(0);
      expect(findUnqualified(statements)).toEqual([]);
      expect(['pg_catalog', ...(furtherSchemas[name] ?? [])]).toEqual(
        expect.arrayContaining(findSchemas(statements)),
      );
    }
  });
});

describe('what is left to search_path', () => {
  const found: readonly (readonly [sql: string, names: readonly string[]])[] = [
    ['SELECT a = b', ['operator =']],
    ["SELECT a || 'b' -> c", ['operator ->', 'operator ||']],
    ['SELECT -a', ['operator -']],
    ['SELECT (a, b) = (c, d), (a, b) < (c, d)', ['operator <', 'operator =']],
    ['SELECT a = ANY (b), a <> ALL (b)', ['operator <>', 'operator =']],
    ['SELECT a = ANY (SELECT 1), (a, b) <> ALL (SELECT 1, 2)', ['operator <>', 'operator =']],
    ['SELECT a IN (1), b NOT IN (2)', ['IN', 'IN', 'operator <>', 'operator =']],
    ['SELECT a IN (SELECT 1), NOT (a, b) IN (SELECT 1, 2)', ['IN (SELECT …)', 'IN (SELECT …)']],
    ['SELECT a BETWEEN 1 AND 2', ['BETWEEN', 'operator BETWEEN']],
    ['SELECT a NOT BETWEEN SYMMETRIC 1 AND 2', ['NOT BETWEEN', 'operator NOT BETWEEN SYMMETRIC']],
    ["SELECT a LIKE 'b', a ILIKE 'b'", ['ILIKE', 'LIKE', 'operator ~~', 'operator ~~*']],
    ['SELECT a LIKE ANY (b)', ['operator ~~']],
    ["SELECT a SIMILAR TO 'b'", ['SIMILAR TO', 'operator ~']],
    ['SELECT CASE a WHEN 1 THEN 2 END', ['CASE x WHEN']],
    ['SELECT NULLIF(a, b)', ['NULLIF', 'operator =']],
    ['SELECT a IS DISTINCT FROM b', ['IS DISTINCT FROM', 'operator =']],
    ['SELECT a IS NOT DISTINCT FROM b', ['IS NOT DISTINCT FROM', 'operator =']],
    ['SELECT 1 FROM s.a JOIN s.b USING (c)', ['JOIN … USING']],
    ['SELECT 1 FROM s.a NATURAL JOIN s.b', ['NATURAL JOIN']],
    ['SELECT 1 FROM s.a ORDER BY b USING <', ['operator <']],
    ['SELECT count(*), lower(a), now()', ['function count', 'function lower', 'function now']],
    ['SELECT substring(a, 1, 1)', ['function substring']],
    [
      'SELECT pg_catalog.sum(a) FILTER (WHERE b > 1) OVER (ORDER BY max(c)) FROM s.a',
      ['function max', 'operator >'],
    ],
    ['SELECT 1 FROM unnest(a) AS b', ['function unnest']],
    ['SELECT 1 FROM ROWS FROM (f()) AS x (a t)', ['function f', 'type t']],
    ['CALL f()', ['function f']],
    [
      "SELECT a::text, b::int8, c::bool, DATE '2026-01-01'",
      ['type bool', 'type date', 'type int8', 'type text'],
    ],
    ['SELECT a::text[]', ['type text']],
    ['SELECT a::json, b::pg_catalog.json', ['type json, write jsonb', 'type json, write jsonb']],
    ['SELECT a COLLATE "C"', ['collation C']],
    [
      "SELECT 't'::pg_catalog.regclass, pg_catalog.to_regprocedure('f()')",
      ["name 'f()'", "name 't'"],
    ],
    ['SELECT 1 FROM pg_stat_activity', ['relation pg_stat_activity']],
    ['LOCK TABLE a IN ACCESS SHARE MODE', ['relation a']],
    ['SELECT 1 FROM s.a TABLESAMPLE system (1)', ['sampling method system']],
    ['SELECT EXISTS (SELECT 1 FROM (SELECT a FROM b) AS c)', ['relation b']],
    ['WITH a AS (SELECT 1 FROM a) TABLE a', ['relation a']],
    ['WITH a AS (SELECT 1 FROM b), b AS (SELECT 1) TABLE a', ['relation b']],
    ['SELECT (WITH a AS (SELECT 1) TABLE a) FROM a', ['relation a']],
    ['SELECT 1; SELECT f()', ['function f']],
  ];

  test.each(found)('%s', (sql, names) => {
    expect(findUnqualified(parse(sql)).sort()).toEqual(names);
  });

  test.each([
    'SELECT a OPERATOR(pg_catalog.=) b, OPERATOR(pg_catalog.-) a, -1',
    'SELECT (a, b) OPERATOR(pg_catalog.=) (c, d), a OPERATOR(pg_catalog.=) ANY (SELECT 1)',
    'SELECT a OPERATOR(pg_catalog.=) ANY (b)',
    'SELECT 1 FROM s.a ORDER BY b USING OPERATOR(pg_catalog.<)',
    "SELECT a::int, b::boolean, c::numeric, d::double precision, e::timestamp with time zone, interval '1 s'",
    'SELECT a::pg_catalog.text[]',
    'SELECT coalesce(a, b), EXISTS (SELECT 1), ARRAY[a], a[1], a IS NULL, a IS TRUE, greatest(a, b)',
    'SELECT current_user, CURRENT_TIMESTAMP',
    "SELECT extract(epoch FROM a), substring(a FROM 1), trim(a), position(a IN b), a AT TIME ZONE 'UTC'",
    'SELECT overlay(a PLACING b FROM 1)',
    'SELECT DISTINCT a, pg_catalog.count(*) FROM s.a GROUP BY a UNION SELECT 1, 2 ORDER BY 1',
    'WITH a AS (SELECT 1), b AS (TABLE a) SELECT (SELECT 1 FROM a), 2 FROM b',
    'WITH RECURSIVE a AS (SELECT 1 UNION SELECT 1 FROM a) TABLE a',
    'SELECT a COLLATE pg_catalog."C"',
    `SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, pg_catalog.to_regprocedure('"odd ""s".f()')`,
    'SELECT CASE WHEN a THEN 1 END FROM s.a JOIN s.b ON a.c OPERATOR(pg_catalog.=) b.c',
    'SET LOCAL statement_timeout = 1; BEGIN READ ONLY; ROLLBACK; SHOW search_path; DISCARD ALL',
  ])('is nothing in %s', (sql) => {
    expect(findUnqualified(parse(sql))).toEqual([]);
  });

  test('schemas are told', () => {
    const sql =
      'SELECT one.f(a) OPERATOR(two.=) b::three.t COLLATE four."C" FROM five.t WHERE a OPERATOR(six.=) ANY (SELECT 1)';
    expect(findSchemas(parse(sql)).sort()).toEqual(['five', 'four', 'one', 'six', 'three', 'two']);
  });
});
