import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStatementIndex } from '../../../src/linking/statement-index.ts';
import { aStatement } from '../../support/a-statement.ts';

/** `match`, or null. */
function matchOf(code: string | readonly string[], seen: string): string | null {
  const texts = typeof code === 'string' ? [code] : code;
  return (
    createStatementIndex(texts.map((text, line) => aStatement(text, { line: line + 1 }))).find(seen)
      ?.match ?? null
  );
}

const longSql = `SELECT id, name, ${Array.from({ length: 120 }, (_, index) => `column_${index}`).join(', ')} FROM users WHERE id = $1`;

describe('a session and the code', () => {
  it.each([
    [
      'letter for letter',
      'SELECT id FROM users WHERE id = $1',
      'SELECT id FROM users WHERE id = $1',
      'exact',
    ],
    ['of several lines', '\n  SELECT id\n  FROM users\n', '\n  SELECT id\n  FROM users\n', 'exact'],
    [
      'around holes',
      'SELECT id FROM users ORDER BY ${} LIMIT ${}',
      'SELECT id FROM users ORDER BY name LIMIT 10',
      'template',
    ],
    ['with nothing in a hole', 'SELECT id FROM users${}', 'SELECT id FROM users', 'template'],
    [
      'with a hole before all',
      '${} SELECT id FROM users',
      '/* api */ SELECT id FROM users',
      'template',
    ],
    [
      'in other letters',
      'select id from users where id = $1',
      'SELECT id\nFROM users\nWHERE id = $1',
      'normalised',
    ],
    [
      'with its values filled in',
      'SELECT id FROM users WHERE name = $1',
      "SELECT id FROM users WHERE name = 'x'",
      'normalised',
    ],
    [
      'with another number of values',
      'SELECT id FROM users WHERE id IN ($1, $2)',
      'SELECT id FROM users WHERE id IN ($1, $2, $3)',
      'normalised',
    ],
    [
      'around holes in other letters',
      'select id from users where ${} order by name',
      'SELECT id FROM users WHERE a = $1 ORDER BY name',
      'normalised',
    ],
    [
      'with nothing in such a hole',
      'select id from users ${} order by name',
      'SELECT id FROM users ORDER BY name',
      'normalised',
    ],
    [
      'with counted parameters',
      'select id from users where a = $${} and name = $2',
      'SELECT id FROM users WHERE a = $1 AND name = $2',
      'normalised',
    ],
    [
      'with a hole in a name',
      'select id from "${}".users',
      'SELECT id FROM "tenant_7".users',
      'normalised',
    ],
    ['cut by the server', longSql, longSql.slice(0, 1023), 'beginning'],
    ['cut around holes', longSql.replace('name', '${}'), longSql.slice(0, 1023), 'beginning'],
  ])('are linked %s', (_how, code, seen, match) => {
    expect(matchOf(code, seen)).toBe(match);
  });

  it.each([
    ['another statement', 'SELECT id FROM users', 'SELECT id FROM orders'],
    [
      'another value',
      "SELECT id FROM orders WHERE state = 'paid'",
      "SELECT id FROM orders WHERE state  = 'new'",
    ],
    [
      'something behind it',
      'SELECT id FROM users ORDER BY ${}, name',
      'SELECT id FROM users ORDER BY id, name DESC',
    ],
    ['a transaction', 'BEGIN', 'BEGIN'],
    ['a setting', 'SET search_path TO app', 'SET search_path TO app'],
    ['what every program asks', 'SELECT 1', 'SELECT 1'],
    ['the same in other words', 'SELECT now()', 'SELECT now()'],
    ['a statement made of a hole', '${}', 'SELECT id FROM users'],
    [
      'a template of common words',
      'SELECT ${} FROM ${} WHERE id = $1',
      'SELECT name FROM users WHERE id = $1',
    ],
    [
      'a template that is little of it',
      'SELECT * FROM users ${}',
      `SELECT * FROM users JOIN ${'orders ON customer = buyer JOIN '.repeat(9)} x`,
    ],
    ['a beginning that nobody cut', longSql, longSql.slice(0, 400)],
    ['a cut text of somebody else', longSql, longSql.replace('name', 'nick').slice(0, 1023)],
    ['an empty text', 'SELECT id FROM users', ''],
  ])('are not linked by %s', (_what, code, seen) => {
    expect(matchOf(code, seen)).toBeNull();
  });

  it('are linked by the surest way only', () => {
    expect(
      matchOf(
        ['SELECT id FROM users ${}', 'select id from users', 'SELECT id FROM users'],
        'SELECT id FROM users',
      ),
    ).toBe('exact');
  });

  it.each([
    ['broken characters', '\uFFFD'],
    ['comments that are not closed', '/*'],
    ['quotes', "'"],
    ['dollars', '$a'],
    ['blanks', ' '],
    ['comment lines', '--\n'],
    ['parentheses', '('],
    ['attributes in a comment', "/*a='b',"],
    ['list members', '$1, '],
    ['words', 'name '],
  ])('take no longer than their length in hostile text: %s', (_what, part) => {
    // Two million characters: what grew with the square of the length would not end within the time limit of any test.
    const index = createStatementIndex(
      [
        'SELECT id FROM users WHERE ${} ORDER BY ${}',
        'SELECT name FROM users WHERE id IN ($1, $2)',
        longSql,
      ].map((text, line) => aStatement(text, { line: line + 1 })),
    );
    expect(['beginning', undefined]).toContain(
      index.find(`SELECT id FROM users WHERE ${part.repeat(Math.ceil(2_000_000 / part.length))}x`)
        ?.match,
    );
  });

  it('survive a character that the cut has broken', () => {
    const text = `SELECT surname, '${'ü'.repeat(600)}' AS greeting FROM users`;
    const cut = Buffer.from(text).subarray(0, 1022).toString('utf8');
    expect(cut.endsWith('\uFFFD')).toBe(true);
    expect(matchOf(text, cut)).toBe('beginning');
    expect(matchOf(text.replace('surname', 'nickname'), cut)).toBeNull();
  });
});

describe('of several places', () => {
  const order = (seen: string, ...statements: readonly ReturnType<typeof aStatement>[]) =>
    createStatementIndex(statements)
      .find(seen)
      ?.statements.map(({ path, line }) => `${path}:${line}`);
  const sql = 'SELECT id FROM users';

  it('those that send come alone, by path and line', () => {
    const places = [
      aStatement(sql, { path: 'src/b.ts' }),
      aStatement(sql, { path: 'src/a.ts', line: 9 }),
      aStatement(sql, { path: 'src/a.ts', line: 2 }),
      aStatement(sql, { path: 'src/_.ts', isSent: false }),
    ];
    expect(order(sql, ...places)).toEqual(['src/a.ts:2', 'src/a.ts:9', 'src/b.ts:42']);
  });

  it('those that only write it count where nobody sends it', () => {
    expect(order(sql, aStatement(sql, { isSent: false }))).toEqual(['src/users.ts:42']);
  });

  it('the template with most letters comes first', () => {
    expect(
      order(
        'SELECT id FROM users WHERE a',
        aStatement('SELECT id FROM users ${}', { line: 1 }),
        aStatement('SELECT id FROM users WHERE ${}', { line: 2 }),
      ),
    ).toEqual(['src/users.ts:2', 'src/users.ts:1']);
  });
});

describe('whatever is written', () => {
  const word = fc.constantFrom(
    'orders',
    'users',
    'name',
    'state',
    'price',
    'SELECT',
    'FROM',
    'WHERE',
    'AND',
    '=',
    ',',
    '(',
    ')',
    '$1',
    "'x'",
    '\n',
    ' ',
    '--',
    '/*',
    '"',
    '$$',
    'ü',
    '%',
    '\\',
  );
  const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));

  it('different constants are never linked letter for letter or around holes', () => {
    fc.assert(
      fc.property(text, text, (code, seen) => {
        const match = matchOf(code, seen);
        expect(match === 'exact' ? code : null).toBe(match === 'exact' ? seen : null);
        expect(match).not.toBe('template');
      }),
      { numRuns: 2000 },
    );
  });

  it('a template is linked to its own results, and to no text that lacks one of its pieces', () => {
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 2, maxLength: 5 }),
        fc.array(text, { minLength: 5, maxLength: 5 }),
        text,
        (pieces, filled, other) => {
          const index = createStatementIndex([aStatement('', { pieces })]);
          const result = pieces.reduce((sql, piece, at) => `${sql}${filled[at] ?? ''}${piece}`);
          expect(['template', 'normalised', undefined]).toContain(index.find(result)?.match);
          if (index.find(other)?.match === 'template')
            expect(pieces.every((piece) => other.includes(piece))).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('many statements', () => {
  const tables = Array.from({ length: 20_000 }, (_, index) => index);
  const statements = tables.map((index) =>
    aStatement(
      index % 4 === 0
        ? `SELECT id, name, total FROM table_${index} WHERE id = $1 AND \${} ORDER BY created_at`
        : `UPDATE table_${index} SET name = $1,\n total = total + 1 WHERE id = $2 RETURNING id, name, total`,
      { path: `src/file${index % 2000}.ts`, line: index },
    ),
  );

  it('are found without a look at each', () => {
    const index = createStatementIndex(statements);
    expect(index.find('SELECT nothing_like_this FROM anywhere')).toBeNull();
    // A hundred million looks at one of them would not end within the time limit of any test.
    for (const each of tables.slice(0, 5000)) {
      expect(
        index.find(
          `update table_${each * 4 + 1} set name = $1, total = total + 1 where id = $2 returning id, name, total`,
        )?.match,
      ).toBe('normalised');
    }
  });
});
