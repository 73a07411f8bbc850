import { toShortText } from './plain-text.ts';
import type { PlainStrings } from '../../rules/model/sql-strings.ts';
import { nextPiece, type SqlToken } from '../sql/sql-tokens.ts';

const tightAfter: readonly string[] = ['(', '[', '.'];
const tightBefore: readonly string[] = [')', ']', '.', ',', ';'];

/**
 * A statement without what it carries: literals become `?`, comments go, and what is left is cut to `length` characters.
 * Blanks stand where they stood, one each, but for those within brackets and before commas.
 * A statement that the server cut in the middle of a literal cannot be told apart from its data: its first word is all that is said.
 * So it is with one that means something else where `standard_conforming_strings` is off, as it may be in the session that sent it.
 */
export function redactSql(sql: string, length: number): string {
  const text = redacted(sql, 'standard');
  const isPlain = !sql.includes('\\') || text === redacted(sql, 'escaped');
  return text === null || !isPlain ? firstWord(sql) : toShortText(text.trimStart(), length);
}

function redacted(sql: string, plain: PlainStrings): string | null {
  let text = '';
  let last = '';
  let isApart = false;
  for (let at = 0; at < sql.length;) {
    const piece = nextPiece(sql, at, plain);
    if (piece.kind === 'problem') return null;
    const { token } = piece;
    if (token !== null) {
      const mark = token.kind === 'mark' ? token.text : '';
      const isTight = tightAfter.includes(last) || tightBefore.includes(mark);
      text += `${(isApart || last === ',') && !isTight ? ' ' : ''}${shown(token)}`;
      last = mark;
    }
    isApart = token === null;
    at = piece.end;
  }
  return text;
}

function firstWord(sql: string): string {
  return /^\s*(?<verb>[a-z]+)\s/iu.exec(sql)?.groups?.['verb']?.concat(' …').toLowerCase() ?? '…';
}

function shown({ kind, text }: SqlToken): string {
  if (kind === 'string' || kind === 'number') return '?';
  return kind === 'quoted' ? `"${text}"` : text;
}
