import fc from 'fast-check';
import { expect } from 'vitest';
import { placedTokens, statementsAmong } from '../../rules/model/sql-tokens.ts';
import { lastingKind, statementKinds } from '../../rules/model/sql.ts';
import { redactSql } from '../../src/activity/redact-sql.ts';
import { commentedPlace } from '../../src/linking/linked-code.ts';
import { normalForm } from '../../src/linking/normal-form.ts';
import { readWorkloadFile } from '../../src/probe/workload/workload-file.ts';
import { nextPiece, readSqlTokens } from '../../src/sql/sql-tokens.ts';
import { splitStatements } from '../../src/sql/split-statements.ts';
import { adversarialSql } from '../support/adversarial-sql.ts';
import { hasCommentBetweenParts, loadScanner } from '../support/scanned-sql.ts';
import { fuzz } from './support/fuzz.ts';
import { textOf } from './support/pieces.ts';

const words = [
  'SELECT',
  'select',
  'FROM',
  'WITH',
  'AS',
  'SET',
  'SET LOCAL',
  'BEGIN',
  'COMMIT AND CHAIN',
  'ROLLBACK TO',
  'LISTEN',
  'PREPARE',
  'CREATE TEMP TABLE',
  'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC',
  'END',
  'CASE',
  'IN',
  'VALUES',
  'set_config',
  'pg_advisory_lock',
  'a',
  'größe',
];
const sqlPieces = [
  ...words,
  ' ',
  '\n',
  '\t',
  ';',
  ',',
  '(',
  ')',
  '(((',
  '$1',
  '$2',
  ':name',
  '::text',
  "'",
  "''",
  "'x'",
  "E'\\''",
  "U&'\\0041'",
  "e'\\",
  "B'1'",
  '"',
  '"User"',
  '""',
  '$$',
  '$a$',
  '$a$ ; $a$',
  '--',
  '-- c\n',
  '/*',
  '*/',
  '/* /* */',
  '1',
  '1.5e10',
  '0x1F',
  '1_000',
  '.',
  '*',
  '=',
  '->>',
  '@>',
  '?',
  '\\',
  '\0',
  '{',
  "/*file='a.ts',line='3'*/",
  '-- weight: 3\n',
  '-- params: 1..9, a|b\n',
];
const sql = textOf(sqlPieces);

fuzz('SQL of the server is read to its end, a piece after the other', sql, (text) => {
  const answer = readSqlTokens(text);
  let at = 0;
  for (
    let piece = nextPiece(text, at);
    at < text.length && piece.kind === 'piece';
    piece = nextPiece(text, at)
  ) {
    expect(piece.end).toBeGreaterThan(at);
    at = piece.end;
  }
  expect(answer.kind === 'tokens').toBe(at >= text.length);
});

const scanner = loadScanner();

fuzz(
  "SQL is cut as PostgreSQL's own scanner cuts it",
  adversarialSql.filter((text) => !hasCommentBetweenParts(text)),
  async (text) => {
    const scanned = (await scanner)(text);
    if (scanned.kind === 'tokens') expect(placedTokens(text)).toEqual(scanned.tokens);
  },
);

fuzz('statements are pieces of the text, in order, each on its line', sql, (text) => {
  const answer = splitStatements(text);
  if (answer.kind === 'problem') return void expect(answer.line).toBeGreaterThan(0);
  let from = 0;
  for (const piece of answer.pieces) {
    const at = text.indexOf(piece.text, from);
    expect(at).toBeGreaterThanOrEqual(from);
    expect(text.slice(0, at).split('\n').length).toBeLessThanOrEqual(piece.line);
    from = at + piece.text.length;
    expect(splitStatements(piece.text)).toMatchObject({
      kind: 'pieces',
      pieces: [{ text: piece.text }],
    });
  }
});

fuzz('SQL of source code is cut into tokens in order, and into kinds', sql, (text) => {
  const tokens = placedTokens(text);
  let end = 0;
  for (const token of tokens) {
    expect(token.start).toBeGreaterThanOrEqual(end);
    expect(token.end).toBeGreaterThan(token.start);
    end = token.end;
  }
  expect(end).toBeLessThanOrEqual(text.length);
  expect(statementsAmong(tokens.map(({ token }) => token)).flat().length).toBeLessThanOrEqual(
    tokens.length,
  );
  const kinds = statementKinds(text);
  expect(lastingKind(kinds) ?? kinds[0]).toBe(lastingKind(kinds) ?? kinds[0]);
  for (const { verb } of kinds) expect(verb).not.toMatch(/[a-z]/);
});

// The normal form writes a quoted name in a way of its own, which is no SQL.
fuzz(
  'the normal form of a normal form is itself',
  sql.map((text) => text.replaceAll('"', '')),
  (text) => {
    // What opens and never closes swallows the blank that is put behind it.
    if (readSqlTokens(text).kind === 'problem') return;
    const form = normalForm(text);
    expect(normalForm(form.text).text).toBe(form.text);
  },
);

fuzz('a redacted statement says nothing of its strings', fc.tuple(sql, sql), ([before, after]) => {
  const secret = 'hunter2';
  const text = `${before} '${secret}' ${after}`;
  const answer = readSqlTokens(text);
  // Where the string stands in a name, a comment or another string, it may be a name.
  if (
    answer.kind === 'tokens' &&
    !answer.tokens.some((token) => token.kind === 'string' && token.text.includes(secret))
  )
    return;
  const redacted = redactSql(text, 200);
  expect(redacted).not.toContain(secret);
  expect([...redacted].length).toBeLessThanOrEqual(200);
});

fuzz('a comment with a place is taken out of a statement once', sql, (text) => {
  const found = commentedPlace(text);
  if (found === null) return;
  expect(found.rest.length).toBeLessThan(text.length);
  if (found.place !== null) expect(found.place.line).toBeGreaterThan(0);
});

fuzz('a workload file is statements, or a sentence with a line', sql, (text) => {
  const answer = readWorkloadFile(text);
  if (answer.kind === 'statements') return void expect(answer.statements.length).toBeGreaterThan(0);
  expect(answer.sentence).toMatch(/^[A-Z-].*\.$/su);
  expect(answer.line).toBeLessThanOrEqual(text.split('\n').length);
});
