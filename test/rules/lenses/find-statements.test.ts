import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspected } from '../../support/inspected.ts';

const header = "import { Pool } from 'pg'; const pool = new Pool();\n";

/** `line: piece | piece`, with a star before what is only written. */
function said(code: string, path?: string): readonly string[] {
  return inspected(header + code, path)
    .statements()
    .map(
      ({ place, pieces, isSent }) =>
        `${place.start.line}: ${isSent ? '' : '* '}${pieces.join(' | ')}`,
    );
}

describe('what a call sends', () => {
  it.each([
    ['a literal', "pool.query('SELECT id FROM users');", ['2: SELECT id FROM users']],
    [
      'a template of several lines',
      'await pool.query(`\n  SELECT id\n  FROM users`);',
      ['2: \n  SELECT id\n  FROM users'],
    ],
    [
      'a template with holes',
      'pool.query(`SELECT ${a} FROM users WHERE id = $1 ${b}`);',
      ['2: SELECT  |  FROM users WHERE id = $1  | '],
    ],
    [
      'a hole with a known text',
      "const cols = 'id, name'; pool.query(`SELECT ${cols} FROM users`);",
      ['2: SELECT id, name FROM users'],
    ],
    [
      'a hole with a default',
      "function list(order = 'id') { return pool.query(`SELECT id FROM users ORDER BY ${order}`); }",
      ['2: SELECT id FROM users ORDER BY  | '],
    ],
    [
      'a hole with a default, taken from an object',
      "const { order = 'id' } = options; pool.query(`SELECT id FROM users ORDER BY ${order} ASC`);",
      ['2: SELECT id FROM users ORDER BY  |  ASC'],
    ],
    [
      'two holes side by side',
      'pool.query(`SELECT id FROM ${a}${b} WHERE x`);',
      ['2: SELECT id FROM  |  WHERE x'],
    ],
    [
      'a concatenation',
      "pool.query('SELECT id ' + 'FROM ' + table + ' WHERE id = $1');",
      ['2: SELECT id FROM  |  WHERE id = $1'],
    ],
    [
      'a configuration',
      "pool.query({ text: 'SELECT id FROM users', values: [] });",
      ['2: SELECT id FROM users'],
    ],
    [
      'a constant',
      "const FIND = 'SELECT id FROM users';\npool.query(FIND);",
      ['3: SELECT id FROM users'],
    ],
    [
      'a member of a constant',
      "const q = { find: 'SELECT id FROM users' };\npool.query(q.find);",
      ['3: SELECT id FROM users'],
    ],
    [
      'a text that grows',
      "let sql = 'SELECT id FROM users'; if (x) sql += ' WHERE y';\npool.query(sql);",
      ['3: SELECT id FROM users | '],
    ],
    [
      'one of two',
      "pool.query(a ? 'SELECT id FROM users' : 'SELECT id FROM orders');",
      ['2: SELECT id FROM users', '2: SELECT id FROM orders'],
    ],
    [
      'a list',
      "pool.query(['SELECT id', 'FROM users'].join('\\n'));",
      ['2: SELECT id\nFROM users'],
    ],
    [
      'a trimmed text',
      'pool.query(`\n SELECT id FROM users `.trim());',
      ['2: SELECT id FROM users'],
    ],
    [
      'a formatted text',
      "pool.query(format('SELECT id FROM %I WHERE a = %L', t, a));",
      ['2: SELECT id FROM  |  WHERE a =  | '],
    ],
    [
      'a tagged text keeps its holes',
      "const id = 'x'; pool.query(sql`SELECT id FROM users WHERE id = ${id}`);",
      ['2: SELECT id FROM users WHERE id =  | '],
    ],
    [
      'a tagged text in another one',
      'const only = sql`WHERE active`; pool.query(sql`SELECT id FROM users ${only}`);',
      ['2: SELECT id FROM users WHERE active'],
    ],
    [
      'a raw text with known parts',
      "const t = 'users'; pool.query(String.raw`SELECT '\\d' FROM ${t}`);",
      ["2: SELECT '\\d' FROM users"],
    ],
    [
      'a list by its name',
      "const parts = ['SELECT id', 'FROM users'];\npool.query(parts.join(' '));",
      ['3: SELECT id FROM users'],
    ],
    [
      'a list that grows',
      "const parts = ['SELECT id FROM users']; if (x) parts.push('WHERE y');\npool.query(parts.join(' '));",
      ['3: SELECT id FROM users  | '],
    ],
    [
      'a list that is changed',
      "const parts = ['SELECT id FROM users']; parts.unshift(x);\npool.query(parts.join(' '));",
      ['2: * SELECT id FROM users'],
    ],
    [
      'a list with another one in it',
      "pool.query(['SELECT id FROM users', ...conditions].join(' '));",
      ['2: SELECT id FROM users  | '],
    ],
    [
      'each of a list',
      "for (const sql of ['SELECT id FROM users', 'SELECT id FROM orders']) await pool.query(sql);",
      ['2: SELECT id FROM users', '2: SELECT id FROM orders'],
    ],
    [
      'what a function gives back',
      "const find = () => 'SELECT id FROM users';\npool.query(find());",
      ['3: SELECT id FROM users'],
    ],
    [
      'a function that gives a text back is none itself',
      "const find = () => 'SELECT id FROM users';\npool.query(find);",
      ['2: * SELECT id FROM users'],
    ],
    [
      'an enum',
      "enum Query { Find = 'SELECT id FROM users' }\npool.query(Query.Find);",
      ['3: SELECT id FROM users'],
    ],
    [
      'a member of an object as const',
      "const q = { find: 'SELECT id FROM users' } as const;\npool.query(q['find']);",
      ['3: SELECT id FROM users'],
    ],
    [
      'a text that is put together in steps',
      "let sql = 'SELECT id FROM users'; if (x) sql = sql + ' WHERE y'; sql = `${sql} LIMIT 1`;\npool.query(sql);",
      ['3: SELECT id FROM users | '],
    ],
    [
      'a text that may be an unknown one',
      "let sql = made(); if (x) sql = 'SELECT id FROM users';\npool.query(sql);",
      ['2: * SELECT id FROM users'],
    ],
    [
      'texts that are made of each other',
      "let a = 'SELECT id FROM users', b = a; if (x) a = b.trim();\npool.query(b);",
      ['2: * SELECT id FROM users'],
    ],
    ['another blank', 'pool.query(dedent`\n  SELECT id\n  FROM users`);', []],
    ['a transaction', "pool.query('BEGIN');", []],
    [
      'the line of the call, not of the chain',
      "await pool\n  .query('SELECT id FROM users');",
      ['3: SELECT id FROM users'],
    ],
    ['a text of others', 'export const f = (sql: string) => pool.query(sql);', []],
    [
      'a text that is changed',
      "pool.query('SELECT id FROM users'.replace('users', x));",
      ['2: * SELECT id FROM users'],
    ],
    ['a query of the DOM', "document.query('.users');", []],
  ])('%s', (_what, code, statements) => {
    expect(said(code)).toEqual(statements);
  });

  it('is found in other files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'poolguard-statements-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'sql.ts'), "export const FIND = 'SELECT id FROM users';\n");
    expect(
      said("import { FIND } from './sql';\npool.query(FIND);", join(folder, 'users.ts')),
    ).toEqual(['3: SELECT id FROM users']);
  });
});

describe('what is only written', () => {
  it.each([
    [
      'a statement for somebody else',
      "run('SELECT id FROM users WHERE id = $1');",
      ['2: * SELECT id FROM users WHERE id = $1'],
    ],
    [
      'a tagged statement',
      'const q = sql`UPDATE users SET name = ${name}`;',
      ['2: * UPDATE users SET name =  | '],
    ],
    ['a sentence', "throw new Error('Select one of the rows above, then try again.');", []],
    [
      'another sentence',
      "log('Update the settings before you go on, please.'); log('with all due respect, as you said');",
      [],
    ],
    ['a short text', "run('SELECT 1');", []],
  ])('%s', (_what, code, statements) => {
    expect(said(code)).toEqual(statements);
  });
});
