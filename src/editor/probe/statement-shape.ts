import { readSqlTokens, type SqlToken } from '../../sql/sql-tokens.ts';

/** What a glance at a text tells. The probe's own process looks with a real parser before it runs anything. */
export type StatementShape =
  | {
      readonly kind: 'statement';
      /** How many values it takes: the highest number of `$1`, `$2`, … */ readonly parameters: number;
    }
  | { readonly kind: 'refused'; /** A whole sentence. */ readonly sentence: string };

const readingStarts = ['select', 'values', 'table', 'with'];
const mostParameters = 100;

/** Whether a text may be one statement that reads. */
export function shapeOf(sql: string): StatementShape {
  const answer = readSqlTokens(sql);
  if (answer.kind === 'problem') return refuse(`The statement has ${answer.what}.`);
  const tokens = withoutLastSemicolons(answer.tokens);
  const first = tokens.find(({ text }) => text !== '(');
  if (first === undefined) return refuse('The statement is empty.');
  if (tokens.some(isSemicolon))
    return refuse('There are several statements; a probe runs only one.');
  if (first.kind !== 'word' || !readingStarts.includes(first.text))
    return refuse(
      'A probe only runs read-only statements: SELECT, VALUES, TABLE or WITH … SELECT.',
    );
  if (locksRows(tokens))
    return refuse('The statement locks rows; a probe only runs read-only statements.');
  const parameters = Math.max(
    0,
    ...tokens.filter(({ kind }) => kind === 'parameter').map(({ text }) => Number(text.slice(1))),
  );
  return parameters > mostParameters
    ? refuse(`The statement has more than ${mostParameters} parameters.`)
    : { kind: 'statement', parameters };
}

/** The words before `$3`, for whoever is asked for its value: "… WHERE total > $3". */
export function wordsBefore(sql: string, parameter: number): string {
  const plain = sql.replaceAll(/\s+/gu, ' ');
  const at = plain.search(new RegExp(`\\$${parameter}(?!\\d)`, 'u'));
  if (at === -1) return '';
  const before = plain.slice(Math.max(0, at - mostBefore), at);
  return `${at <= mostBefore ? before : `… ${before.slice(before.indexOf(' ') + 1)}`}$${parameter}`;
}

const mostBefore = 50;

/** A text with a parameter in the place of each hole, numbered on from those that it has. */
export function fillHoles(pieces: readonly string[]): string {
  const highest = Math.max(
    0,
    ...[...pieces.join(' ').matchAll(/\$(\d{1,3})/gu)].map(([, number]) => Number(number)),
  );
  return pieces.reduce((text, piece, index) => `${text}$${highest + index}${piece}`);
}

function refuse(sentence: string): StatementShape {
  return { kind: 'refused', sentence };
}

function withoutLastSemicolons(tokens: readonly SqlToken[]): readonly SqlToken[] {
  return tokens.slice(0, tokens.findLastIndex((token) => !isSemicolon(token)) + 1);
}

function isSemicolon({ kind, text }: SqlToken): boolean {
  return kind === 'mark' && text === ';';
}

function locksRows(tokens: readonly SqlToken[]): boolean {
  return tokens.some(
    ({ kind, text }, at) =>
      kind === 'word' &&
      text === 'for' &&
      ['update', 'share', 'no', 'key'].includes(tokens[at + 1]?.text ?? ''),
  );
}
