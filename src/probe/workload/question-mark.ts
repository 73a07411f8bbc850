import { readSqlTokens, type SqlToken } from '../../sql/sql-tokens.ts';

/** After these a value stands, and no operator can. */
const words = new Set([
  'and',
  'between',
  'else',
  'fetch',
  'first',
  'ilike',
  'in',
  'like',
  'limit',
  'next',
  'not',
  'offset',
  'or',
  'returning',
  'select',
  'then',
  'values',
  'when',
  'where',
]);
const marks = new Set([...'=<>(,+-*/%']);

/** What to write instead, where a `?` stands for a value, as drivers of other databases write it; null where each `?` may be an operator of jsonb. */
export function adviseOnQuestionMark(sql: string): string | null {
  const answer = readSqlTokens(sql);
  if (answer.kind !== 'tokens') return null;
  const { tokens } = answer;
  const isValue = tokens.some(
    ({ kind, text }, at) => kind === 'mark' && text === '?' && beginsValue(tokens[at - 1]),
  );
  return isValue
    ? "The statement has a ? where a value stands: use $1, not ?. PostgreSQL numbers its parameters $1, $2, … in order; in a shell put the statement in single quotes, as in --sql 'SELECT … WHERE id = $1' --param 1..1000."
    : null;
}

function beginsValue(before: SqlToken | undefined): boolean {
  return (
    before !== undefined &&
    ((before.kind === 'mark' && marks.has(before.text)) ||
      (before.kind === 'word' && words.has(before.text)))
  );
}
