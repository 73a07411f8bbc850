import { readSqlTokens, type SqlToken } from '../../sql/sql-tokens.ts';

export type StatementAnswer = { readonly kind: 'accepted'; readonly text: string } | { readonly kind: 'refused'; readonly sentence: string };

/** Used when the user names no statement: a light read that keeps one core of the server busy. */
export const standInStatement = 'SELECT count(*), avg(n) FROM generate_series(1, 2000) AS n';

export const standInNote = 'The statement is a stand-in that only uses the CPU of the server. The answer for your application needs its own statement: --sql "SELECT …".';

const starts = ['select', 'values', 'table', 'with'];
const writes = ['insert', 'update', 'delete', 'merge'];

/**
 * Functions that do something even in a read-only session, by name: the session would keep it, the server would feel it,
 * or they run other SQL that nobody looked at. Transaction-scoped advisory locks end with the statement and are let through.
 */
const refusedFunctions: readonly { readonly name: RegExp; readonly because: string }[] = [
  { name: /^pg_(?:terminate|cancel)_backend$/, because: 'ends the work of other sessions' },
  { name: /^set_config$/, because: 'changes settings' },
  { name: /^pg_(?:try_)?advisory_(?:lock|unlock)(?:_shared|_all)?$/, because: 'holds a lock beyond the statement (pg_advisory_xact_lock does not)' },
  { name: /^(?:nextval|setval)$/, because: 'uses up a sequence' },
  { name: /^lo_|^lo(?:read|write|import|export|creat)/, because: 'works on large objects' },
  { name: /^pg_(?:read|write|ls|stat|file|sync)_|^pg_(?:file|ls)/, because: 'works on files or statistics of the server' },
  { name: /^dblink|^postgres_fdw|_fdw_/, because: 'opens connections to other servers' },
  { name: /^pg_(?:switch|create|drop|copy|logical|replication|wal|promote|reload|rotate|start|stop|backup|log|import|export|prewarm|restore|clear|extension_config|nextoid|resetwal|stop_making)/, because: 'administers the server' },
  { name: /^pg_notify$/, because: 'sends notifications' },
  { name: /^txid_current$|^pg_current_xact_id$/, because: 'uses up transaction numbers' },
  { name: /^(?:query|cursor|table|schema|database)_to_xml|^ts_stat$|^ts_rewrite$|^(?:xpath_table|crosstab\d*|connectby)$/, because: 'can run SQL that this check does not see' },
];

/** Accepts one statement that reads, and refuses everything else with the reason. The read-only session is the second guard. */
export function checkStatement(sql: string): StatementAnswer {
  const answer = readSqlTokens(sql);
  if (answer.kind === 'problem') return refuse(`The statement has ${answer.what}.`);
  const tokens = dropLastSemicolon(answer.tokens);
  const sentence = checks.map((check) => check(tokens)).find((found) => found !== null);
  return sentence === undefined ? { kind: 'accepted', text: sql.trim() } : refuse(sentence);
}

function refuse(sentence: string): StatementAnswer {
  return { kind: 'refused', sentence: `${sentence} The probe runs a single statement that only reads: SELECT, VALUES, TABLE or WITH … SELECT.` };
}

function dropLastSemicolon(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const end = tokens.findLastIndex((token) => !isMark(token, ';'));
  return tokens.slice(0, end + 1);
}

/** Each gives a sentence about what is wrong, or null. */
const checks: readonly ((tokens: readonly SqlToken[]) => string | null)[] = [
  (tokens) => (tokens.length === 0 ? 'The statement is empty.' : null),
  (tokens) => (tokens.some((token) => isMark(token, ';')) ? 'There are several statements.' : null),
  checkStart,
  (tokens) => (tokens.some(({ kind }) => kind === 'parameter') ? 'The statement has parameters such as $1: write values in their place.' : null),
  checkWrites,
  checkFunctions,
  (tokens) => (tokens.some((token, at) => isWord(token, 'u') && isMark(tokens[at + 1], '&') && tokens[at + 2]?.kind === 'quoted') ? 'The statement has an identifier with Unicode escapes (U&"…"): write it plainly.' : null),
];

function checkStart(tokens: readonly SqlToken[]): string | null {
  const first = tokens.find((token) => !isMark(token, '('));
  if (first?.kind === 'word' && starts.includes(first.text)) return null;
  return first?.kind === 'word' ? `The statement starts with ${first.text.toUpperCase()}.` : 'The statement starts with no keyword.';
}

function checkWrites(tokens: readonly SqlToken[]): string | null {
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    if (isWord(token, 'into')) return 'The statement writes (INTO).';
    // Only at the start of a parenthesis or after one can these words begin a statement; elsewhere they may name a column.
    if (isWord(token, ...writes) && (isMark(before, '(') || isMark(before, ')')) && !isMark(tokens[at + 1], ')', ',')) return `The statement writes (${token.text.toUpperCase()}).`;
    if (isWord(token, 'for') && isWord(tokens[at + 1], 'update', 'share', 'no', 'key')) return 'The statement locks rows (FOR UPDATE or FOR SHARE).';
  }
  return null;
}

function checkFunctions(tokens: readonly SqlToken[]): string | null {
  for (const [at, token] of tokens.entries()) {
    if ((token.kind !== 'word' && token.kind !== 'quoted') || !isMark(tokens[at + 1], '(')) continue;
    const refused = refusedFunctions.find(({ name }) => name.test(token.text));
    if (refused !== undefined) return `The statement calls ${token.text}, which ${refused.because}.`;
  }
  return null;
}

function isMark(token: SqlToken | undefined, ...marks: readonly string[]): boolean {
  return token?.kind === 'mark' && marks.includes(token.text);
}

function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text);
}
