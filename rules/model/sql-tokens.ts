/** A piece of a statement. Comments and blanks are left out. */
export interface SqlToken {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'mark';
  /** A word in capitals, a string or a quoted name without its quotes, anything else as it is written. */
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
 * Cuts SQL into tokens, by the rules of PostgreSQL's `scan.l` with `standard_conforming_strings` on. What opens and never closes
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
export function pieceAt(sql: string, at: number): SqlPiece {
  if (isBlank(sql.charAt(at))) return skipped(endOfRun(sql, at, isBlank));
  if (sql.startsWith('--', at)) return skipped(afterLine(sql, at));
  if (!sql.startsWith('/*', at)) return cutAt(sql, at);
  const end = afterComment(sql, at);
  return { ...skipped(end ?? sql.length), isClosed: end !== undefined };
}

function skipped(end: number): SqlPiece {
  return { token: undefined, end, isClosed: true };
}

function cutAt(sql: string, at: number): Cut {
  const first = sql.charAt(at);
  if (first === "'") return stringAt(sql, at + 1, endOfQuoted(sql, at + 1, "'"));
  if (first === '"') return quotedAt(sql, at + 1);
  if (first === '$') return dollarAt(sql, at);
  if (isDigit(first) || (first === '.' && isDigit(sql.charAt(at + 1))))
    return tokenUpTo(sql, at, 'number', endOfNumber(sql, at));
  if (isWordStart(first)) return prefixedAt(sql, at, first.toUpperCase()) ?? wordAt(sql, at);
  return tokenUpTo(sql, at, 'mark', at + 1);
}

/** `E'…'`, `B'…'`, `X'…'`, `N'…'`, `U&'…'`, `U&"…"` */
function prefixedAt(sql: string, at: number, letter: string): Cut | undefined {
  const next = sql.charAt(at + 1);
  if (next === "'" && letter === 'E') return stringAt(sql, at + 2, endOfEscaped(sql, at + 2));
  if (next === "'" && (letter === 'B' || letter === 'X' || letter === 'N'))
    return stringAt(sql, at + 2, endOfQuoted(sql, at + 2, "'"));
  if (next !== '&' || letter !== 'U') return undefined;
  if (sql.charAt(at + 2) === "'") return stringAt(sql, at + 3, endOfQuoted(sql, at + 3, "'"));
  return sql.charAt(at + 2) === '"' ? quotedAt(sql, at + 3) : undefined;
}

function stringAt(sql: string, start: number, close: number): Cut {
  return {
    token: { kind: 'string', text: sql.slice(start, close) },
    end: Math.min(close + 1, sql.length),
    isClosed: close < sql.length,
  };
}

function quotedAt(sql: string, start: number): Cut {
  const close = endOfQuoted(sql, start, '"');
  return {
    token: { kind: 'quoted', text: sql.slice(start, close).replaceAll('""', '"') },
    end: Math.min(close + 1, sql.length),
    isClosed: close < sql.length,
  };
}

/** `$1`, `$$…$$`, `$tag$…$tag$` */
function dollarAt(sql: string, at: number): Cut {
  if (isDigit(sql.charAt(at + 1)))
    return tokenUpTo(sql, at, 'parameter', endOfRun(sql, at + 1, isDigit));
  const end = isWordStart(sql.charAt(at + 1))
    ? endOfRun(sql, at + 1, (each) => isWordPart(each) && each !== '$')
    : at + 1;
  if (sql.charAt(end) !== '$') return { ...tokenUpTo(sql, at, 'mark', at + 1), isClosed: false };
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
  return { token: { kind: 'word', text: sql.slice(at, end).toUpperCase() }, end, isClosed: true };
}

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

function endOfRun(sql: string, start: number, isPart: (character: string) => boolean): number {
  let at = start;
  while (at < sql.length && isPart(sql.charAt(at))) at++;
  return at;
}

/** Where a quote closes that is doubled to be meant. */
function endOfQuoted(sql: string, start: number, quote: string): number {
  for (let at = sql.indexOf(quote, start); at >= 0; at = sql.indexOf(quote, at + 2)) {
    if (sql.charAt(at + 1) !== quote) return at;
  }
  return sql.length;
}

function endOfEscaped(sql: string, start: number): number {
  for (let at = start; at < sql.length; at++) {
    const each = sql.charAt(at);
    if (each === "'" && sql.charAt(at + 1) !== "'") return at;
    if (each === '\\' || each === "'") at++;
  }
  return sql.length;
}

function afterLine(sql: string, start: number): number {
  return endOfRun(sql, start, (each) => each !== '\n' && each !== '\r');
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

function isBlank(character: string): boolean {
  return character !== '' && ' \t\n\r\f\v'.includes(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function isWordStart(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    character === '_' ||
    character >= '\u0080'
  );
}

function isWordPart(character: string): boolean {
  return isWordStart(character) || isDigit(character) || character === '$';
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
