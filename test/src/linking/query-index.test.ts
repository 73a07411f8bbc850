import { describe, expect, test } from 'vitest';
import { type BuiltQuery, builtQuery } from '../../../src/linking/query-index.ts';
import { linkCode } from '../../../src/linking/linked-code.ts';
import { aStatement } from '../../support/a-statement.ts';

function aQuery(line: number, other: Partial<BuiltQuery> = {}): BuiltQuery {
  return {
    uri: 'file:///shop/src/users.ts',
    path: 'src/users.ts',
    line,
    column: 0,
    isAside: false,
    verbs: ['select'],
    table: 'users',
    inCapitals: false,
    isSure: true,
    ...other,
  };
}

const select = 'select "id", "name" from "users" where "users"."id" = $1';

function labelOf(queries: readonly BuiltQuery[], seen = select): string | null {
  const code = linkCode({ statements: [], queries, pools: [], isCut: false });
  return code.placeOf(seen)?.label ?? null;
}

describe('what a text that a library has built says', () => {
  // The texts are those of `pg_stat_activity` of PostgreSQL 18, shortened.
  test.each([
    [select, 'select users'],
    ['insert into "users" ("id") values ($1) returning "id"', 'insert users'],
    ['update "public"."users" set "name" = $1', 'update public.users'],
    ['delete from "users" where "id" = $1', 'delete users'],
    ['truncate "posts" restart identity', 'truncate posts'],
    ['select "u".*, (select count(*) from "posts") as "n" from "users" as "u"', 'select users'],
    ['SELECT "id" FROM "Users" AS "User" WHERE "User"."id" = 1;', 'SELECT Users'],
    ['INSERT INTO "users"("name") VALUES ($1)', 'INSERT users'],
    ['SELECT "public"."User"."id" FROM "public"."User" WHERE 1=1', 'SELECT public.User'],
  ])('%s', (seen, said) => {
    const built = builtQuery(seen);
    expect(built).not.toBeNull();
    if (built === null) return;
    const verb = built.inCapitals ? built.verb.toUpperCase() : built.verb;
    expect(`${verb} ${built.table}`).toBe(said);
  });

  test.each([
    ['by hand', 'select id from users'],
    ['by hand in both', 'Select id from "users"'],
    ['of a part of one', 'with "x" as (select * from "users") select * from "x"'],
    ['of a query in a query', 'SELECT "User".* FROM (SELECT * FROM "Users") AS "User"'],
    ['without a table', 'select 1'],
    ['cut before it', 'select "id", "na'],
    ['BEGIN', 'BEGIN'],
  ])('nothing is said of one that is written %s', (_what, seen) => {
    expect(builtQuery(seen)).toBeNull();
  });
});

describe('a query is linked to', () => {
  test.each([
    [
      'the one call that builds it',
      [aQuery(3), aQuery(9, { verbs: ['insert'] })],
      'src/users.ts:3',
    ],
    ['two that may', [aQuery(3), aQuery(9)], 'src/users.ts:3 or src/users.ts:9'],
    [
      'one that reads relations as well',
      [aQuery(3), aQuery(9, { table: null })],
      'src/users.ts:3 or src/users.ts:9',
    ],
    [
      'one whose handle is not known',
      [aQuery(9, { isSure: false }), aQuery(3)],
      'src/users.ts:3 or src/users.ts:9',
    ],
    [
      'that of the service, not of a test',
      [aQuery(3, { isAside: true }), aQuery(9)],
      'src/users.ts:9',
    ],
    [
      'that with the same schema',
      [aQuery(3, { table: 'shop.users' }), aQuery(9)],
      'src/users.ts:3 or src/users.ts:9',
    ],
  ])('%s', (_what, queries, label) => {
    expect(labelOf(queries)).toBe(label);
  });

  test.each([
    ['of other tables', [aQuery(3, { table: 'orders' })]],
    ['that do something else', [aQuery(3, { verbs: ['insert'] })]],
    ['of a library that writes in capitals', [aQuery(3, { inCapitals: true })]],
    [
      'of which none surely is of this table',
      [aQuery(3, { table: null }), aQuery(9, { isSure: false })],
    ],
    ['of which there are many', [aQuery(3), aQuery(9), aQuery(12), aQuery(15)]],
  ])('no call where there are only calls %s', (_what, queries) => {
    expect(labelOf(queries)).toBeNull();
  });

  test('no call where its text is written', () => {
    const written = aStatement(select, { line: 90 });
    const code = linkCode({ statements: [written], queries: [aQuery(3)], pools: [], isCut: false });
    expect(code.placeOf(select)).toMatchObject({ label: 'src/users.ts:90', match: 'exact' });
  });

  test('nothing that is said of the client there', () => {
    const code = linkCode({ statements: [], queries: [aQuery(3)], pools: [], isCut: false });
    expect(code.placesOf(`/*app='api'*/ ${select}`)).toMatchObject({
      match: 'table',
      places: [{ line: 3, findings: [] }],
    });
  });
});
