import {
  endOfLine,
  endOfRun,
  isBlank,
  isDigit,
  isWordPart,
  isWordStart,
} from './sql-characters.ts';
import {
  isEscapeCharacter,
  type PlainStrings,
  type Quoted,
  readQuotedName,
  readString,
  withoutUnicodeEscapes,
} from './sql-strings.ts';

/** A piece of a statement. Comments and blanks are left out. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'mark';
  /** A word in capitals, what a string or a quoted name means, anything else as it is written. */
  readonly text: string;
}

interface Cut {
  readonly token: SqlToken;
  /** The offset behind it. */
  readonly end: number;
  /** False for what opens and never closes, and so reaches to the end of the text. */
  readonly isClosed: boolean;
}

/** A token, or blanks or a comment, which are none. */
export type SqlPiece = Omit<Cut, 'token'> & { readonly token: SqlToken | undefined };

export interface PlacedToken {
  readonly token: SqlToken;
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts SQL into tokens, by the rules of PostgreSQL's `scan.l` with `standard_conforming_strings` on. A string with all parts that
 * continue it is one, and so is `U&'…'` with its `UESCAPE`; operators are cut into their characters. What opens and never closes
 * reaches to the end of the text. Takes time in proportion to the length.
 */
export function sqlTokens(sql: string): readonly SqlToken[] {
  return placedTokens(sql).map(({ token }) => token);
}

/** The same with the offsets between which each stands. */
export function placedTokens(sql: string): readonly PlacedToken[] {
  const tokens: PlacedToken[] = [];
  for (let at = 0; at < sql.length;) {
    const { token, end } = pieceAt(sql, at);
    if (token !== undefined) tokens.push({ token, start: at, end });
    at = end;
  }
  return tokens;
}

/** What begins at a place that is the end of another piece. */
export function pieceAt(sql: string, at: number, plain: PlainStrings = 'standard'): SqlPiece {
  if (isBlank(sql.charAt(at))) return skipped(endOfRun(sql, at, isBlank));
  if (sql.startsWith('--', at)) return skipped(endOfLine(sql, at));
  if (!sql.startsWith('/*', at)) return cutAt(sql, at, plain);
  const end = afterComment(sql, at);
  return { ...skipped(end ?? sql.length), isClosed: end !== undefined };
}

function skipped(end: number): SqlPiece {
  return { token: undefined, end, isClosed: true };
}

function cutAt(sql: string, at: number, plain: PlainStrings): Cut {
  const first = sql.charAt(at);
  if (first === "'") return cutOf('string', readString(sql, at + 1, plain));
  if (first === '"') return cutOf('quoted', readQuotedName(sql, at + 1));
  if (first === '$') return dollarAt(sql, at);
  if (isDigit(first) || (first === '.' && isDigit(sql.charAt(at + 1))))
    return tokenUpTo(sql, at, 'number', endOfNumber(sql, at));
  if (isWordStart(first)) return prefixedAt(sql, at, plain) ?? wordAt(sql, at);
  return tokenUpTo(sql, at, 'mark', at + (sql.startsWith('..', at) ? 2 : 1));
}

/** `N'…'` reads as `'…'` does. */
const prefixed: Readonly<Record<string, 'escaped' | 'bits' | undefined>> = {
  E: 'escaped',
  B: 'bits',
  X: 'bits',
  N: undefined,
};

/** `E'…'`, `B'…'`, `X'…'`, `N'…'`, `U&'…'`, `U&"…"` */
function prefixedAt(sql: string, at: number, plain: PlainStrings): Cut | undefined {
  const letter = sql.charAt(at).toUpperCase();
  const next = sql.charAt(at + 1);
  if (next === "'" && letter in prefixed)
    return cutOf('string', readString(sql, at + 2, prefixed[letter] ?? plain));
  if (next !== '&' || letter !== 'U') return undefined;
  const quote = sql.charAt(at + 2);
  if (quote === "'") return unicodeCut(sql, 'string', readString(sql, at + 3, 'standard'));
  return quote === '"' ? unicodeCut(sql, 'quoted', readQuotedName(sql, at + 3)) : undefined;
}

function cutOf(kind: SqlToken['kind'], { value, end, isClosed }: Quoted): Cut {
  return { token: { kind, text: value }, end, isClosed };
}

/** With the `UESCAPE` that may follow, which PostgreSQL's parser makes one token of (`parser.c`, base_yylex). */
function unicodeCut(sql: string, kind: SqlToken['kind'], quoted: Quoted): Cut {
  const named = escapeNamedAt(sql, quoted.end);
  const value = withoutUnicodeEscapes(quoted.value, named?.token.text ?? '\\');
  return cutOf(kind, { ...quoted, value, end: named?.end ?? quoted.end });
}

/** The string behind `UESCAPE`, if that is what comes next. */
function escapeNamedAt(sql: string, end: number): Cut | undefined {
  const start = startOfToken(sql, end);
  if (sql.slice(start, start + 7).toUpperCase() !== 'UESCAPE') return undefined;
  const word = wordAt(sql, start);
  const named = startOfToken(sql, word.end);
  if (word.token.text !== 'UESCAPE' || !/^(?:e?'|\$)/i.test(sql.slice(named, named + 2)))
    return undefined;
  const cut = cutAt(sql, named, 'standard');
  return cut.token.kind === 'string' && isEscapeCharacter(cut.token.text) ? cut : undefined;
}

function startOfToken(sql: string, end: number): number {
  for (let at = end; at < sql.length;) {
    const isSkipped =
      isBlank(sql.charAt(at)) || sql.startsWith('--', at) || sql.startsWith('/*', at);
    if (!isSkipped) return at;
    at = pieceAt(sql, at).end;
  }
  return sql.length;
}

/** `$1`, `$$…$$`, `$tag$…$tag$` */
function dollarAt(sql: string, at: number): Cut {
  if (isDigit(sql.charAt(at + 1)))
    return tokenUpTo(sql, at, 'parameter', endOfRun(sql, at + 1, isDigit));
  const end = isWordStart(sql.charAt(at + 1))
    ? endOfRun(sql, at + 1, (each) => isWordPart(each) && each !== '$')
    : at + 1;
  if (sql.charAt(end) !== '$') return tokenUpTo(sql, at, 'mark', at + 1);
  const tag = sql.slice(at, end + 1);
  const close = sql.indexOf(tag, end + 1);
  return {
    token: { kind: 'string', text: sql.slice(end + 1, close < 0 ? sql.length : close) },
    end: close < 0 ? sql.length : close + tag.length,
    isClosed: close >= 0,
  };
}

function wordAt(sql: string, at: number): Cut {
  const end = endOfRun(sql, at, isWordPart);
  return { token: { kind: 'word', text: inCapitals(sql.slice(at, end)) }, end, isClosed: true };
}

/** The letters of ASCII alone, as PostgreSQL folds them: `ſet` is no `SET`. */
function inCapitals(word: string): string {
  return beyondAscii.test(word)
    ? word.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
    : word.toUpperCase();
}

const beyondAscii = /[^\0-\x7F]/;

function tokenUpTo(sql: string, at: number, kind: SqlToken['kind'], end: number): Cut {
  return { token: { kind, text: sql.slice(at, end) }, end, isClosed: true };
}

const number =
  /0x[\da-f_]+|0o[0-7_]+|0b[01_]+|(?:\d[\d_]*(?:\.(?!\.)[\d_]*)?|\.\d[\d_]*)(?:e[+-]?\d[\d_]*)?/iuy;

/** Ends where a name begins (`1..f(2)`, and before PostgreSQL 15 `1or f(2)`), so that none is taken for a part of a number. */
function endOfNumber(sql: string, at: number): number {
  number.lastIndex = at;
  return at + (number.exec(sql)?.[0] ?? '').length;
}

/** Block comments nest. Undefined when one never ends. */
function afterComment(sql: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < sql.length; at++) {
    const isOpening = sql.startsWith('/*', at);
    if (!isOpening && !sql.startsWith('*/', at)) continue;
    depth += isOpening ? 1 : -1;
    at++;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/**
 * Cuts tokens at the semicolons that end a statement: those outside of brackets, and not in the body of a function that is written
 * without quotes (PostgreSQL, CREATE FUNCTION, `BEGIN ATOMIC … END`; its `psqlscan.l` tells them apart the same way).
 */
export function statementsAmong(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const statements: SqlToken[][] = [];
  let statement: SqlToken[] = [];
  let brackets = 0;
  let blocks = 0;
  for (const token of tokens) {
    if (token.kind === 'mark')
      brackets = Math.max(0, brackets + (token.text === '(' ? 1 : token.text === ')' ? -1 : 0));
    if (token.kind === 'word' && makesRoutine(statement))
      blocks = Math.max(0, blocks + blockStep(token.text, blocks));
    if (token.kind !== 'mark' || token.text !== ';' || brackets > 0 || blocks > 0) {
      statement.push(token);
      continue;
    }
    statements.push(statement);
    statement = [];
  }
  return [...statements, statement].filter(({ length }) => length > 0);
}

function makesRoutine([create, second, , fourth]: readonly SqlToken[]): boolean {
  if (create?.text !== 'CREATE') return false;
  const word = second?.text === 'OR' ? fourth?.text : second?.text;
  return word === 'FUNCTION' || word === 'PROCEDURE';
}

function blockStep(word: string, blocks: number): number {
  if (word === 'BEGIN' || (word === 'CASE' && blocks > 0)) return 1;
  return word === 'END' ? -1 : 0;
}
