import { toShortText } from './plain-text.ts';
import { readSqlTokens, type SqlToken } from '../sql/sql-tokens.ts';

/**
 * A statement without what it carries: literals become `?`, comments go, and what is left is cut to `length` characters.
 * A statement that the server cut in the middle of a literal cannot be told apart from its data: its first word is all that is said.
 */
export function redactSql(sql: string, length: number): string {
  const answer = readSqlTokens(sql);
  if (answer.kind === 'problem')
    return /^\s*(?<verb>[a-z]+)\s/iu.exec(sql)?.groups?.['verb']?.concat(' …').toLowerCase() ?? '…';
  const words = answer.tokens.map(shown).join(' ');
  return toShortText(words.replace(/ (?=[,.;)])/gu, '').replace(/(?<=[(.]) /gu, ''), length);
}

function shown({ kind, text }: SqlToken): string {
  if (kind === 'string' || kind === 'number') return '?';
  return kind === 'quoted' ? `"${text}"` : text;
}
