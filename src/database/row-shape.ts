import type { QueryAnswer } from './session.ts';

type ColumnType = 'text' | 'number' | 'moment' | 'boolean' | 'numbers' | 'rows';

/** What each column of a statement of ours holds, a `?` where it may be null. Moments are seconds since 1970. */
export type RowShape<Row> = Readonly<Record<keyof Row & string, ColumnType | `${ColumnType}?`>>;

/** So many seconds before and after 1970 a date can be told (ECMAScript, time values). */
const furthestSeconds = 8.64e12;

const holds: Readonly<Record<ColumnType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  moment: (value) => typeof value === 'number' && Math.abs(value) <= furthestSeconds,
  boolean: (value) => typeof value === 'boolean',
  numbers: (value) => Array.isArray(value) && value.every((each) => typeof each === 'number'),
  rows: (value) => Array.isArray(value) && value.every((each) => typeof each === 'object' && each),
};

/** The same answer, or a failure: what calls itself a server may answer with rows of other types than those that were asked for. */
export function shaped<Row extends object>(
  answer: QueryAnswer<Row>,
  shape: RowShape<Row>,
): QueryAnswer<Row> {
  if (answer.kind === 'failed') return answer;
  const strange = answer.rows.map((row) => strangeColumn(row, shape)).find(Boolean);
  if (strange === undefined) return answer;
  return {
    kind: 'failed',
    failure: {
      kind: 'statement',
      sentence: `The server’s answer is none that PostgreSQL gives: its column ${strange} has another type. Connect to PostgreSQL, or to a pooler in front of it.`,
      code: null,
    },
  };
}

function strangeColumn<Row extends object>(row: Row, shape: RowShape<Row>): string | undefined {
  const values = new Map<string, unknown>(Object.entries(row));
  return Object.keys(shape).find((column) => {
    const value = values.get(column);
    const type = shape[column as keyof typeof shape];
    const isNullable = type.endsWith('?');
    return !(value === null && isNullable) && !holds[bareType(type)](value);
  });
}

function bareType(type: ColumnType | `${ColumnType}?`): ColumnType {
  return type.replace('?', '') as ColumnType;
}
