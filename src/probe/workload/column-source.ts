import { toShortText } from '../../activity/plain-text.ts';
import { type ColumnValues, readColumnValues } from '../../database/read-column-values.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { type ColumnDraw, drawFromColumn } from './column-draw.ts';
import type { ColumnName } from './column-name.ts';

/** The values of a column, or why there are none, to go on after "because". */
export type ColumnAnswer =
  | {
      readonly kind: 'column';
      /** With its schema. */ readonly column: ColumnName;
      readonly draw: ColumnDraw;
    }
  | { readonly kind: 'unknown'; readonly because: string };

/** Finds a column in the first of the scopes of which a table has it, and what the server's statistics keep of its values. */
export type FindColumn = (scopes: readonly (readonly ColumnName[])[]) => Promise<ColumnAnswer>;

/** Asks a session that has the search path of the application. */
export function createColumnSource(session: Pick<DatabaseSession, 'run'>): FindColumn {
  return async (scopes) => {
    for (const tables of scopes) {
      const [first] = tables;
      if (first === undefined) continue;
      const answer = await readColumnValues(session, tables, first.column);
      // The server's message may repeat a value.
      if (answer.kind === 'failed')
        return {
          kind: 'unknown',
          because: `the statistics of ${shown(first.column)} cannot be read (${answer.failure.code ?? answer.failure.kind})`,
        };
      const [found] = answer.rows;
      if (found !== undefined) return toAnswer(found);
    }
    const column = scopes[0]?.[0]?.column ?? '';
    return { kind: 'unknown', because: `no table of the statement has a column ${shown(column)}` };
  };
}

function toAnswer(found: ColumnValues): ColumnAnswer {
  const { schema, table, column, mayRead, hasPolicies, rest } = found;
  const named = `${shown(table)}.${shown(column)}`;
  if (!mayRead) return { kind: 'unknown', because: `this role may not read ${named}` };
  if (hasPolicies)
    return {
      kind: 'unknown',
      because: `row-level security hides the values of ${named} from this role`,
    };
  if (rest === null)
    return {
      kind: 'unknown',
      because: `the server has no statistics of ${named} (ANALYZE ${shown(table)} gathers them)`,
    };
  const draw = drawFromColumn(found);
  return draw === null
    ? { kind: 'unknown', because: `the statistics of ${named} hold no values` }
    : { kind: 'column', column: { schema, table, column }, draw };
}

function shown(name: string): string {
  return toShortText(name, 63);
}
