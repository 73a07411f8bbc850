import { beforeAll, describe, expect, test } from 'vitest';
import { loadSqlParser, type SqlParser } from '../../../src/probe/workload/sql-parser.ts';
import { quoteName } from '../../../src/sql/quote-name.ts';

let parse: SqlParser;

beforeAll(async () => {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  parse = loaded.parse;
});

describe('a name', () => {
  test.each([
    ['orders', 'orders'],
    ['order', '"order"'],
    ['user', '"user"'],
    ['none', '"none"'],
    ['Orders', '"Orders"'],
    ['my table', '"my table"'],
    ['a"; DROP TABLE b; --', '"a""; DROP TABLE b; --"'],
    ['a\\b', '"a\\b"'],
    ['größe', '"größe"'],
    ['', '""'],
    ['a\nb\\"', 'U&"a\\+00000Ab\\\\"""'],
    ['\u202E\u009Bx', 'U&"\\+00202E\\+00009Bx"'],
  ])('%j is written %s', (name, quoted) => {
    expect(quoteName(name)).toBe(quoted);
  });

  // From kwlist.h, some of each kind.
  test.each(
    'order user select window authorization verbose concurrently between values int coalesce name text public a.b 1a é U&"x" $1'.split(
      ' ',
    ),
  )('%s is one table and one role to PostgreSQL', (name) => {
    const quoted = quoteName(name);
    for (const sql of [
      `TABLE ${quoted}`,
      `GRANT SELECT ON ${quoted} TO ${quoteName(`${name}_`)}`,
    ]) {
      const parsed = parse(sql);
      expect(
        parsed.kind === 'tree' ? JSON.stringify(parsed.statements) : parsed.sentence,
      ).toContain(`"relname":${JSON.stringify(name)}`);
    }
  });
});
