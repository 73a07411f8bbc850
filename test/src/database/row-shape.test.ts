import { expect, test } from 'vitest';
import { shaped, type RowShape } from '../../../src/database/row-shape.ts';

interface Row {
  readonly pid: number;
  readonly at: number | null;
  readonly name: string | null;
  readonly blockers: readonly number[] | null;
  readonly limits: readonly object[];
}

const shape: RowShape<Row> = {
  pid: 'number',
  at: 'moment?',
  name: 'text?',
  blockers: 'numbers?',
  limits: 'rows',
};
const row: Row = { pid: 1, at: 0, name: 'app', blockers: [2], limits: [{}] };

test('rows of the types that were asked for are the answer as it came, nulls where they may be', () => {
  const answer = {
    kind: 'rows',
    rows: [row, { ...row, at: null, name: null, blockers: null }],
  } as const;
  expect(shaped<Row>(answer, shape)).toBe(answer);
});

test.each([
  ['pid', 'many'],
  ['pid', null],
  ['pid', undefined],
  ['at', 1e300],
  ['at', Number.NaN],
  ['name', 7],
  ['blockers', ['2']],
  ['limits', null],
  ['limits', [null]],
])('a server whose column %s is %s gives no answer of PostgreSQL’s', (column, value) => {
  const strange = { ...row, [column]: value };
  expect(shaped({ kind: 'rows', rows: [row, strange] }, shape)).toEqual({
    kind: 'failed',
    failure: {
      kind: 'statement',
      sentence: `The server’s answer is none that PostgreSQL gives: its column ${column} has another type. Connect to PostgreSQL, or to a pooler in front of it.`,
      code: null,
    },
  });
});
