import * as v from 'valibot';
import { sessionColumns, type SessionColumn } from '../activity/session-list.ts';
import { whole, type OutputOf } from '../schema/fields.ts';

const narrowest = 36;
const widest = 3_000;

/** How the columns of the table of sessions are laid out; one at least is shown. */
export const ColumnLayout = v.object({
  /** In pixels, of those that were given a width. */
  widths: v.record(v.picklist(sessionColumns), whole(narrowest, widest)),
  hidden: v.pipe(v.array(v.picklist(sessionColumns)), v.maxLength(sessionColumns.length - 1)),
});
export type ColumnLayout = OutputOf<typeof ColumnLayout>;

export const firstLayout: ColumnLayout = { widths: {}, hidden: [] };

const KeptLayout = v.fallback(ColumnLayout, { widths: {}, hidden: [] });

/** What was kept, or the first layout where that cannot be read. */
export function parseLayout(value: unknown): ColumnLayout {
  return v.parse(KeptLayout, value);
}

/** With widths as somebody dragged them, as far as a column may go. */
export function withWidths(
  { widths, hidden }: ColumnLayout,
  wanted: Readonly<Partial<Record<SessionColumn, number>>>,
): ColumnLayout {
  const fitting = Object.entries(wanted).map(([column, width]) => [
    column,
    Math.min(widest, Math.max(narrowest, Math.round(width))),
  ]);
  return {
    widths: { ...widths, ...(Object.fromEntries(fitting) as ColumnLayout['widths']) },
    hidden,
  };
}

/** With the column's first width. */
export function withoutWidth(
  { widths, hidden }: ColumnLayout,
  column: SessionColumn,
): ColumnLayout {
  const { [column]: _, ...others } = widths;
  return { widths: others, hidden };
}

/** With the column shown or hidden, except that the last one stays. */
export function withColumn(
  { widths, hidden }: ColumnLayout,
  column: SessionColumn,
  isShown: boolean,
): ColumnLayout {
  const others = hidden.filter((each) => each !== column);
  return { widths, hidden: isShown ? others : [...others, column] };
}
