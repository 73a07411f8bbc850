import { ESLint, Linter } from 'eslint';
import { beforeAll, expect, test } from 'vitest';

/** Lints code with the one rule that forbids texts of SQL, as this repository has it for a file. */
let lintAs: (file: string, code: string) => Promise<readonly string[]>;

beforeAll(() => {
  const eslint = new ESLint();
  const linter = new Linter();
  lintAs = async (file, code) => {
    const { rules } = (await eslint.calculateConfigForFile(file)) as {
      readonly rules: Linter.RulesRecord;
    };
    const rule = rules['no-restricted-syntax'] ?? 'off';
    return linter
      .verify(code, { rules: { 'no-restricted-syntax': rule } })
      .map(({ message }) => message);
  };
});

test.each([
  "client.query('SELECT 1')",
  'client.query("select now()")',
  'client.query(`SELECT ${columns} FROM pg_catalog.pg_class`)',
  'client.query(`SELECT${columns}`)',
  "client.query('\\n  WITH a AS (TABLE b) TABLE a')",
  "client.query('SET search_path = pg_catalog')",
  "client.query('BEGIN READ ONLY')",
  "client.query('ROLLBACK')",
  "client.query('COMMIT;')",
  "client.query('SHOW ' + name)",
  "client.query('LOCK TABLE orders')",
  "client.query('DISCARD ALL')",
])('%s is found in src/, but not in src/database/sql/', async (code) => {
  expect(await lintAs('src/probe/probe.ts', code)).toEqual([
    expect.stringContaining('src/database/sql/'),
  ]);
  expect(await lintAs('src/database/connect.ts', code)).toHaveLength(1);
  expect(await lintAs('src/database/sql/activity.sql.ts', code)).toEqual([]);
});

test.each([
  "say('Select a row')",
  "say('With --yes it begins')",
  "say(['INSERT', 'UPDATE', 'SELECT'])",
  'say(`Run ${sql}`)',
  "say('SELECTED rows')",
])('%s is no statement', async (code) => {
  expect(await lintAs('src/probe/probe.ts', code)).toEqual([]);
});
