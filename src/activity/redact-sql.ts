import { toShortText } from './plain-text.ts';
import { nextPiece, type SqlToken } from '../sql/sql-tokens.ts';

const tightAfter: readonly string[] = ['(', '[', '.'];
const tightBefore: readonly string[] = [')', ']', '.', ',', ';'];

/**
 * A statement without what it carries: literals become `?`, comments go, and what is left is cut to `length` characters.
 * Blanks stand where they stood, one each, but for those within brackets and before commas.
 * A statement that the server cut in the middle of a literal cannot be told apart from its data: its first word is all that is said.
 */
export function redactSql(sql: string, length: number): string {
  let text = '';
  let last = '';
  let isApart = false;
  for (let at = 0; at < sql.length;) {
    const piece = nextPiece(sql, at);
    if (piece.kind === 'problem') return firstWord(sql);
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
  return toShortText(text.trimStart(), length);
}

function firstWord(sql: string): string {
  return /^\s*(?<verb>[a-z]+)\s/iu.exec(sql)?.groups?.['verb']?.concat(' …').toLowerCase() ?? '…';
}

function shown({ kind, text }: SqlToken): string {
  if (kind === 'string' || kind === 'number') return '?';
  return kind === 'quoted' ? `"${text}"` : text;
}
