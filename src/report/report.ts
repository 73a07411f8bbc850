import { formatFigure, type Unit } from './units.ts';

/**
 * What a report says, before it is known where: every result becomes a report (`reports/`), and every format writes any report
 * (`formats/`). Texts may come from a hostile database; each format makes them harmless in its own way.
 */
export interface Report {
  /** What was asked, for example "Pool size". */
  readonly title: string;
  /** Where and how: one short phrase each. */
  readonly place: readonly string[];
  readonly statements: readonly string[];
  readonly verdict: ReportVerdict | null;
  /** The figures to remember. */
  readonly facts: readonly Fact[];
  readonly snippets: readonly Snippet[];
  /** The first table of the first section is what a spreadsheet gets. */
  readonly sections: readonly Section[];
  /** Statements and connections that failed, by cause. */
  readonly errors: Readonly<Record<string, number>>;
  /** Whole sentences about what must not happen and did. */
  readonly alarms?: readonly string[];
  /** Whole sentences. */
  readonly notes: readonly string[];
}

/** How something is to be taken: shown as colour, never as colour alone. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral';

export interface ReportVerdict {
  readonly tone: Tone;
  /** One or two words: "Found". */
  readonly title: string;
  /** Whole sentences, the most important first. */
  readonly sentences: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
  readonly detail?: string;
}

export interface Snippet {
  /** For example "js" or "ini". */
  readonly language: string;
  readonly text: string;
  /** Where it belongs. */
  readonly title: string;
}

export interface Section {
  readonly title: string;
  readonly charts?: readonly Chart[];
  readonly tables?: readonly Table[];
  readonly sentences?: readonly string[];
}

export interface Column {
  /** For machines: snake case, with the unit. A range has two, which end in `_low` and `_high`. */
  readonly key: string;
  readonly label: string;
  readonly unit: Unit;
  /** Left out first where there is little room. */
  readonly isMinor?: boolean;
}

/** A range is its lower and upper bound. Null is shown as a dash. */
export type Cell = string | number | null | readonly [low: number, high: number];

export interface Row {
  readonly cells: readonly Cell[];
  /** Words that single the row out, for example "recommended". */
  readonly mark?: string;
  readonly tone?: Tone;
  /** A course over time, drawn where a character can draw it. */
  readonly course?: readonly number[];
}

export interface Table {
  /** For who hears it. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Key of the column that a terminal draws as bars, and what it writes above them. */
  readonly bars?: { readonly key: string; readonly label: string };
}

export interface Axis {
  readonly label: string;
  readonly unit: Unit;
  /** A logarithmic axis has base 2 and only values above 0. */
  readonly scale: 'linear' | 'log';
  /** Where labels stand, for a scale whose values are few and known. */
  readonly ticks?: readonly number[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
  /** Around the line. */
  readonly band?: readonly { readonly x: number; readonly low: number; readonly high: number }[];
  /** A line to compare with, not a measurement. */
  readonly isGuide?: boolean;
}

/** A place on the horizontal axis, and how far it is uncertain. */
export interface Mark {
  readonly at: number;
  readonly stretch?: readonly [low: number, high: number];
  readonly label: string;
  readonly kind: 'pick' | 'knee' | 'limit' | 'inflection';
}

export interface LineChart {
  readonly kind: 'lines';
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
  /** Single measurements behind the lines; faint ones weigh little. */
  readonly dots?: readonly (Point & { readonly isFaint: boolean })[];
  readonly marks?: readonly Mark[];
}

export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  readonly unit: Unit;
  readonly groups: readonly {
    readonly label: string;
    /** `failed` is the share of requests that failed, 0 to 1. */
    readonly bars: readonly {
      readonly label: string;
      readonly value: number;
      readonly failed: number;
      readonly isChosen: boolean;
    }[];
  }[];
}

export interface StackedChart {
  readonly kind: 'stacked';
  readonly title: string;
  readonly unit: Unit;
  /** Names of the parts, in order. */
  readonly parts: readonly string[];
  readonly bars: readonly {
    readonly label: string;
    /** In the order of `parts`. */ readonly values: readonly number[];
  }[];
}

export type Chart = LineChart | BarChart | StackedChart;

/** A cell as people read it: "1,490", "480 – 520", "–". */
export function formatCell(cell: Cell, unit: Unit): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return formatFigure(cell, unit);
  const [low, high] = cell.map((bound) => formatFigure(bound, unit));
  return low === high ? `${low}` : `${low} – ${high}`;
}

/** Figures stand on the right, so that their digits are below each other. */
export function isFigure({ unit }: Pick<Column, 'unit'>): boolean {
  return unit !== 'text';
}

/** Columns in which something stands: one of empty texts would only take room. */
export function usedColumns({ columns, rows }: Table): readonly number[] {
  return columns.flatMap((_, index) =>
    rows.length === 0 || rows.some(({ cells }) => cells[index] !== '' && cells[index] !== undefined)
      ? [index]
      : [],
  );
}

/** A column together with where its cells come from. */
export interface Field<Item> extends Column {
  readonly of: (item: Item) => Cell;
}

/** A column of what each item says of itself. */
export function field<Item>(
  key: string,
  label: string,
  unit: Unit,
  of: (item: Item) => Cell,
): Field<Item> {
  return { key, label, unit, of };
}

/** The same for a column that a narrow terminal may leave out. */
export function minor<Item>(...column: Parameters<typeof field<Item>>): Field<Item> {
  return { ...field(...column), isMinor: true };
}

/** One row an item, in their order. */
export function tableOf<Item>(
  caption: string,
  fields: readonly Field<Item>[],
  items: readonly Item[],
  more: (item: Item) => Omit<Row, 'cells'> = () => ({}),
): Table {
  return {
    caption,
    columns: fields.map(({ of: _of, ...column }) => column),
    rows: items.map((item) => ({ ...more(item), cells: fields.map((field) => field.of(item)) })),
  };
}
