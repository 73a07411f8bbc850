import { hasSqlDetails, loadModule, parseSync, type ScanToken, scanSync } from 'libpg-query';
import type { PlacedToken, SqlToken } from '../../rules/model/sql-tokens.ts';
import { walkSql } from '../../src/probe/workload/sql-parser.ts';

export type ScannedSql =
  | { readonly kind: 'tokens'; readonly tokens: readonly PlacedToken[] }
  | { readonly kind: 'refused'; readonly isUnterminated: boolean };

/** Cuts SQL with the scanner of PostgreSQL 18 itself, into tokens as ours are. The text has no NUL. */
export async function loadScanner(): Promise<(sql: string) => ScannedSql> {
  await loadModule();
  return (sql) => {
    try {
      // Its answer is JSON in which these two stand as they are; to the scanner all blanks are alike.
      const { tokens } = scanSync(`${sql.replaceAll(/[\f\v]/g, '\t')} `);
      return { kind: 'tokens', tokens: toOurs(sql, tokens) };
    } catch (error) {
      // The parser's word on an escape, the scanner's message where its answer should be, or ours on a name.
      if (!hasSqlDetails(error) && !(error instanceof SyntaxError)) throw error;
      return { kind: 'refused', isUnterminated: error.message.includes('"unterminat') };
    }
  };
}

/** What libpg_query reads in a way of its own: its comments are tokens, and so they end a string that would go on behind them. */
export function hasCommentBetweenParts(sql: string): boolean {
  return /'\s*(?:--[^\n\r]*[\n\r]\s*)+'/.test(sql);
}

/** Of gram.y: SCONST, USCONST, BCONST, XCONST; FCONST, ICONST; the rest one each. */
const kinds: Readonly<Record<number, SqlToken['kind']>> = {
  258: 'word',
  259: 'quoted',
  260: 'number',
  261: 'string',
  262: 'string',
  263: 'string',
  264: 'string',
  266: 'number',
  267: 'parameter',
};
const dots = 269;
const comments: readonly number[] = [275, 276];

function toOurs(sql: string, scanned: readonly ScanToken[]): readonly PlacedToken[] {
  const bytes = Buffer.from(sql);
  const tokens = scanned.filter(({ tokenType }) => !comments.includes(tokenType));
  const ours: PlacedToken[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at] as ScanToken;
    const last = lastOf(tokens.slice(at, at + 3)) ?? first;
    at = tokens.indexOf(last);
    const text = bytes.toString('utf8', first.start, last.end);
    const start = bytes.toString('utf8', 0, first.start).length;
    const kind = first.end === last.start ? kindOf(last) : kindOf(first);
    ours.push(...cut({ text, start, kind }, first));
  }
  return ours;
}

/** What ends a token that is several to the scanner: `N'…'`, and `U&'…' UESCAPE '…'`. */
function lastOf([first, second, third]: readonly ScanToken[]): ScanToken | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (/^u&['"]/i.test(first.text))
    return second.text.toLowerCase() === 'uescape' ? third : undefined;
  const isNational = first.text.toLowerCase() === 'n' && first.end === second.start;
  return isNational && second.text.startsWith("'") ? second : undefined;
}

function kindOf({ tokenType, keywordKind, text }: ScanToken): SqlToken['kind'] {
  if (text.startsWith('"')) return 'quoted';
  return keywordKind > 0 ? 'word' : (kinds[tokenType] ?? 'mark');
}

interface Written extends SqlToken {
  readonly start: number;
}

/** Operators are several marks. */
function cut({ kind, text, start }: Written, { tokenType }: ScanToken): readonly PlacedToken[] {
  const parts = kind === 'mark' && tokenType !== dots ? [...text] : [text];
  return parts.map((part, index) => ({
    token: { kind, text: meaningOf(kind, part) },
    start: start + index,
    end: start + index + part.length,
  }));
}

function meaningOf(kind: SqlToken['kind'], text: string): string {
  if (kind === 'word') return text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
  if (kind === 'string') return stringIn(`SELECT ${text}`);
  return kind === 'quoted' ? nameIn(`SELECT 1 AS ${text}`) : text;
}

function stringIn(sql: string): string {
  for (const { kind, fields } of walkSql(parseSync(sql))) {
    if (kind === 'sval') return fields['sval'] as string;
    // With the letter of its kind before it.
    if (kind === 'bsval') return (fields['bsval'] as string).slice(1);
  }
  throw new Error(`Not a string: ${sql}`);
}

function nameIn(sql: string): string {
  for (const { kind, fields } of walkSql(parseSync(sql)))
    // A longer one is cut by the server, which ours leaves to others.
    if (kind === 'ResTarget' && sql.length < 60) return fields['name'] as string;
  throw new SyntaxError(`Too long a name: ${sql}`);
}
