import { toShortText } from '../../activity/plain-text.ts';
import { type ColumnValues, readColumnValues } from '../../database/read-column-values.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { toArrayLiteral } from '../../sql/array-literal.ts';
import type { RandomSource } from '../random.ts';
import type { ColumnName } from './column-name.ts';

/** A value of a column as text. */
export type ColumnDraw = (random: RandomSource) => string;

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

/** Draws values as often as the rows of the table hold them, NULL left out; null where the statistics hold none. */
export function drawFromColumn({
  common,
  shares,
  bounds,
  rest,
  isWhole,
}: Pick<ColumnValues, 'common' | 'shares' | 'bounds' | 'rest' | 'isWhole'>): ColumnDraw | null {
  const values = common ?? [];
  const weights = values.map((_, at) => Math.max(0, shares?.[at] ?? 0));
  const total = weights.reduce((sum, each) => sum + each, 0);
  const between = bounds === null || bounds.length === 0 ? null : drawBetween(bounds, isWhole);
  if (between === null && values.length === 0) return null;
  const others = between === null ? 0 : Math.max(0, (rest ?? 1) - total) || Number(total === 0);
  return (random) => {
    let left = random() * (total + others);
    const at = weights.findIndex((weight) => (left -= weight) < 0);
    const value = at === -1 ? between?.(random) : values[at];
    return value ?? values.at(-1) ?? '';
  };
}

/** Each part between two bounds holds as many rows. Of integers any number of a part is drawn, which is the only type whose values between two others are known. */
function drawBetween(bounds: readonly string[], isWhole: boolean): ColumnDraw {
  return (random) => {
    const part = Math.floor(random() * Math.max(1, bounds.length - 1));
    const [low = '', high = low] = bounds.slice(part, part + 2);
    const [first, last] = [Number(low), Number(high)];
    return isWhole && Number.isSafeInteger(first) && Number.isSafeInteger(last)
      ? String(first + Math.floor(random() * (last - first + 1)))
      : random() < 0.5
        ? low
        : high;
  };
}

/** Few enough for a statement, and more than one: how many the application gives is not known. */
const listed = 5;

/** An array of several values, as the parameter of `= ANY($1)`. */
export function drawList(draw: ColumnDraw): ColumnDraw {
  return (random) => toArrayLiteral(Array.from({ length: listed }, () => draw(random)));
}
