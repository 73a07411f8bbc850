import { toArrayLiteral } from '../sql/array-literal.ts';
import type { DatabaseSession, QueryAnswer } from './session.ts';
import { columnValuesSql } from './sql/column-values.sql.ts';

/** What the statistics of the server keep of the values of a column. Values are hostile and may be secrets. */
export interface ColumnValues {
  readonly schema: string;
  readonly table: string;
  readonly column: string;
  /** It holds integers. */
  readonly isWhole: boolean;
  readonly mayRead: boolean;
  /** Row-level security hides rows from this role, and so the statistics. */
  readonly hasPolicies: boolean;
  /** The most common values; null for none. */
  readonly common: readonly string[] | null;
  /** The share of each among all rows, 0 to 1. */
  readonly shares: readonly number[] | null;
  /** They divide the other values into parts of equal size; null for none. */
  readonly bounds: readonly string[] | null;
  /** Share of rows that hold no NULL; null without statistics. */
  readonly rest: number | null;
}

/** A table that may have the column. */
export interface PossibleTable {
  /** Null where the search path decides. */
  readonly schema: string | null;
  readonly table: string;
}

/** Asks on a session with the search path of the application; no row where none of the tables has the column. */
export async function readColumnValues(
  session: Pick<DatabaseSession, 'run'>,
  tables: readonly PossibleTable[],
  column: string,
): Promise<QueryAnswer<ColumnValues>> {
  const answer = await session.run({
    text: columnValuesSql,
    values: [
      toArrayLiteral(tables.map(({ schema }) => schema)),
      toArrayLiteral(tables.map(({ table }) => table)),
      column,
    ],
  });
  return answer as QueryAnswer<ColumnValues>;
}
