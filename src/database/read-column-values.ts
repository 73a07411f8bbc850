import * as v from 'valibot';
import { number, type OutputOf } from '../schema/fields.ts';
import { toArrayLiteral } from '../sql/array-literal.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';
import { columnValuesSql } from './sql/column-values.sql.ts';

/** What the statistics of the server keep of the values of a column. Values are hostile and may be secrets. */
const ColumnValues = v.object({
  schema: v.string(),
  table: v.string(),
  column: v.string(),
  /** It holds integers. */
  isWhole: v.boolean(),
  mayRead: v.boolean(),
  /** Row-level security hides rows from this role, and so the statistics. */
  hasPolicies: v.boolean(),
  /** The most common values; null for none. */
  common: v.nullable(v.array(v.string())),
  /** The share of each among all rows, 0 to 1. */
  shares: v.nullable(v.array(number)),
  /** They divide the other values into parts of equal size; null for none. */
  bounds: v.nullable(v.array(v.string())),
  /** Share of rows that hold no NULL; null without statistics. */
  rest: v.nullable(number),
});
export type ColumnValues = OutputOf<typeof ColumnValues>;

/** A table that may have the column. */
export interface PossibleTable {
  /** Null where the search path decides. */
  readonly schema: string | null;
  readonly table: string;
}

/** Asks on a session with the search path of the application; no row where none of the tables has the column. */
export function readColumnValues(
  session: Pick<DatabaseSession, 'run'>,
  tables: readonly PossibleTable[],
  column: string,
): Promise<QueryAnswer<ColumnValues>> {
  const values = [
    toArrayLiteral(tables.map(({ schema }) => schema)),
    toArrayLiteral(tables.map(({ table }) => table)),
    column,
  ];
  return session.run({ text: columnValuesSql, values }, ColumnValues);
}
