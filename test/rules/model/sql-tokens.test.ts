import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hole, statementKinds } from '../../../rules/model/sql.ts';
import { placedTokens, sqlTokens } from '../../../rules/model/sql-tokens.ts';

test.each([
  ["SELECT 'it''s'", ['word SELECT', "string it's"]],
  ["E'a\\'b' u&'c' U&\"d\" x'1F'", ["string a'b", 'string c', 'quoted d', 'string 1F']],
  ["E'a'\n'\\' || '; x '", ["string a' || ", 'mark ;', 'word X', 'string ']],
  ["E'a' -- b\n-- c\r\n  '\\'' d", ["string a'", 'word D']],
  ["'a'\n'\\' b", ['string a\\', 'word B']],
  ["'a' 'b' 'c' /*\n*/ 'd'", ['string a', 'string b', 'string c', 'string d']],
  ["B'1'\n'0''1'", ['string 10', 'string 1']],
  ["n'a'\n'b''c'", ["string ab'c"]],
  ["U&'a'\n'!0062' /* c */ UESCAPE -- d\n E'!' e", ['string ab', 'word E']],
  ['U&"!0061\\0062" UESCAPE \'!\'', ['quoted a\\0062']],
  ["U&'\\+00006161' uescape 'a'", ['string a61', 'word UESCAPE', 'string a']],
  ["E'\\x41\\101\\u0041\\U00000041\\q\\n\\303'\n'\\244'", ['string AAAAq\nä']],
  ['1..5 1...5', ['number 1', 'mark ..', 'number 5', 'number 1', 'mark ..', 'number .5']],
  ['ſet größe', ['word ſET', 'word GRößE']],
  ['@-- a\n*/* b */', ['mark @', 'mark *']],
  ['$a b', ['mark $', 'word A', 'word B']],
  ['"a""b".c', ['quoted a"b', 'mark .', 'word C']],
  ['$1+$2', ['parameter $1', 'mark +', 'parameter $2']],
  ['$$a$b$$ $x$ $$ $x$', ['string a$b', 'string  $$ ']],
  ['a$1 1.5e3', ['word A$1', 'number 1.5e3']],
  ['-- a\nb /* /* c */ d */ e', ['word B', 'word E']],
  ["'open", ['string open']],
  ['"open', ['quoted open']],
  ['$$open', ['string open']],
  ['/* open', []],
])('%s is cut', (sql, tokens) => {
  expect(sqlTokens(sql).map(({ kind, text }) => `${kind} ${text}`)).toEqual(tokens);
});

/** Tokens, so that blanks and comments may stand between any two of them. */
const texts: readonly (readonly string[])[] = [
  ['SELECT', '1'],
  ['BEGIN', ';', 'SET', 'LOCAL', 'ROLE', 'a', ';', 'COMMIT'],
  ['ROLLBACK', 'TO', 'SAVEPOINT', '"a"'],
  ['COMMIT', 'PREPARED', "'x'"],
  ['SET', 'SESSION', 'app', '.', 'tenant', '=', "'1'"],
  ['SELECT', 'set_config', '(', "'a.b'", ',', '$1', ',', 'false', ')'],
  ['SELECT', 'pg_catalog', '.', 'pg_try_advisory_lock', '(', '1', ',', hole, ')'],
  ['CREATE', 'TEMP', 'TABLE', 't', '(', 'a', 'int', ')', 'ON', 'COMMIT', 'DROP'],
  ['DECLARE', 'c', 'CURSOR', 'WITH', 'HOLD', 'FOR', 'SELECT', '1'],
  ['WITH', 'a', 'AS', '(', 'SELECT', '1', ')', 'SELECT', '*', 'INTO', 'TEMP', 't', 'FROM', 'a'],
];

const harmful = fc.constantFrom(
  'COMMIT',
  'SET ROLE x',
  '; LISTEN y;',
  'pg_advisory_lock(1)',
  'BEGIN',
  ' ',
  '-',
  '/',
  '(',
);
const said = fc.array(harmful, { maxLength: 4 }).map((parts) => parts.join(' '));
const comment = fc.oneof(
  said.map((text) => `/*${text.replaceAll('/', '')}*/`),
  said.map((text) => `/* a /* ${text.replaceAll('/', '')} */ b */`),
  said.map((text) => `--${text}\n`),
);
const between = fc
  .array(fc.oneof(fc.constantFrom(' ', '\n', '\t'), comment), { minLength: 1, maxLength: 3 })
  .map((parts) => ` ${parts.join('')} `);

describe('kinds', () => {
  test('comments and blanks between tokens change none', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(between, { minLength: 1, maxLength: 20 }),
        (tokens, blanks) => {
          const spread = tokens
            .map((token, index) => (blanks[index % blanks.length] ?? ' ') + token)
            .join('');
          expect(statementKinds(spread)).toEqual(statementKinds(tokens.join(' ')));
        },
      ),
    );
  });

  test('what strings and quoted names say changes none', () => {
    const quotes = fc.constantFrom<(text: string) => string>(
      (text) => `'${text}'`,
      (text) => `E'\\'${text}'`,
      (text) => `$q$${text}$q$`,
      (text) => `"${text}"`,
    );
    fc.assert(
      fc.property(fc.constantFrom(...texts), said, quotes, (tokens, text, quote) => {
        const extra = `SELECT a FROM t WHERE b = ${quote(text)}`;
        const [first, ...others] = statementKinds(`${extra}; ${tokens.join(' ')}`);
        expect(first).toMatchObject({ verb: 'SELECT', effect: null, transaction: null });
        expect(others).toEqual(statementKinds(tokens.join(' ')));
      }),
    );
  });

  test('small letters change none', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), (tokens) => {
        expect(statementKinds(tokens.join(' ').toLowerCase())).toEqual(
          statementKinds(tokens.join(' ')),
        );
      }),
    );
  });

  test('any text has some', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "'",
        '"',
        '$$',
        '$a$',
        '/*',
        '*/',
        '--',
        ';',
        '(',
        ')',
        "E'\\",
        'SET ',
        'CREATE FUNCTION f BEGIN ',
        'END',
        hole,
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const sql = pieces.join('');
        expect(statementKinds(sql).length).toBeLessThanOrEqual(sql.split(';').length);
      }),
    );
  });
});

describe('a megabyte', () => {
  const anywhere = [
    "'",
    "'a'\n",
    "'a' --\n",
    "U&'' UESCAPE ",
    "U&''/**/",
    "E'\\x'\n",
    '$$',
    '$a',
    '$a$ $b$',
    '/*',
    '/* */',
    '--\n',
    ';',
    '(',
    "E'\\",
  ].map((piece) => ['SET ', piece]);
  const inRows = [
    ['SET ', 'x = '],
    ['SELECT ', 'set_config('],
    ['SELECT ', "set_config('a',(b),"],
    ['SELECT ', 'INTO TEMP '],
    ['SELECT ', 'pg_advisory_lock'],
    ['CREATE TEMP TABLE ', 'AS ) $0 '],
    ['CREATE FUNCTION f ', 'BEGIN CASE '],
    ['DECLARE ', 'WITH '],
  ];

  test.each([...anywhere, ...inRows])(
    'of %j and %j is judged in time proportional to its length',
    (beginning = '', piece = '') => {
      const cpuMsOf = (length: number): number => {
        const sql = `${beginning}${piece.repeat(Math.ceil(length / piece.length))}`;
        const before = process.cpuUsage();
        statementKinds(sql);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      // Ten times as long, with room for noise: what grows with the square takes a hundred times as long.
      expect(cpuMsOf(1_000_000)).toBeLessThan(40 * Math.max(cpuMsOf(100_000), 100));
    },
  );
});

test.each(['"', "'a", "E'\\", 'U&"b', "'a'\n'b", "U&'a' UESCAPE '"])(
  'a quote that never closes ends with the text: %s',
  (sql) => {
    expect(placedTokens(sql).at(-1)?.end).toBe(sql.length);
  },
);
