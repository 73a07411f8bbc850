import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Where a report of type `T` has numbers: `totals.clientsWaiting`, `pools[].size`. A figure that is added to a report asks for its row here. */
export type FigureOf<T> = T extends number
  ? ''
  : T extends readonly (infer Item)[]
    ? Below<'[]', Item>
    : T extends object
      ? { [Key in keyof T & string]: Below<Key, T[Key]> }[keyof T & string]
      : never;

type Below<Key extends string, Value> =
  FigureOf<NonNullable<Value>> extends infer Figure extends string
    ? Figure extends '' | `[]${string}`
      ? `${Key}${Figure}`
      : `${Key}.${Figure}`
    : never;

/** What a number of a report means, and how it is said without Poolguard. */
export interface FigureRow<World> {
  readonly unit: string;
  readonly means: string;
  /** Who says the same: a view, a console, `/proc`, a loop of the test. */
  readonly beside: string;
  readonly independent: (world: World) => number | readonly number[];
  /** What the numbers of a list come to where no single one can be compared. */
  readonly altogether?: (numbers: readonly number[]) => number;
  /** By how much both may differ: absolutely, in its unit, or as a share of the larger. */
  readonly within?: { readonly absolute?: number; readonly share?: number };
}

export type FigureTable<Report, World> = Readonly<Record<FigureOf<Report>, FigureRow<World>>>;

export const sum = (values: readonly number[]): number =>
  values.reduce((total, each) => total + each, 0);
export const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length);
export const most = (values: readonly number[]): number => Math.max(...values);
/** The nearest rank. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? NaN;

/** The numbers of a report by where they stand; those of a list together. */
function figuresIn(report: unknown): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'number') found.set(path, [...(found.get(path) ?? []), value]);
    else if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value))
        visit(part, path === '' ? key : `${path}.${key}`);
  };
  visit(report, '');
  return found;
}

/** Fails where a number of the report has no row, and where its row says another one. */
export function expectFigures<World>(
  report: unknown,
  table: Readonly<Record<string, FigureRow<World>>>,
  world: World,
  only: (figure: string) => boolean = () => true,
): void {
  const shown = figuresIn(report);
  expect([...shown.keys()].filter((figure) => table[figure] === undefined)).toEqual([]);
  const compared = Object.entries(table).flatMap(([figure, row]) =>
    only(figure) ? [compare(figure, shown.get(figure) ?? [], row, world)] : [],
  );
  note(compared);
  expect(compared.filter(({ agree }) => !agree)).toEqual([]);
}

interface Compared {
  readonly figure: string;
  readonly unit: string;
  readonly shown: readonly number[];
  readonly independent: readonly number[];
  readonly beside: string;
  readonly agree: boolean;
}

function compare<World>(
  figure: string,
  numbers: readonly number[],
  { unit, beside, independent, altogether, within = {} }: FigureRow<World>,
  world: World,
): Compared {
  const shown = altogether === undefined ? ordered(numbers) : [altogether(numbers)];
  const own = ordered([independent(world)].flat());
  const { absolute = 1e-6, share = 0 } = within;
  const isClose = (one: number, other: number) =>
    Math.abs(one - other) <= Math.max(absolute, share * Math.max(Math.abs(one), Math.abs(other)));
  const agree =
    shown.length === own.length && shown.every((each, index) => isClose(each, own[index] ?? NaN));
  return { figure, unit, shown, independent: own, beside, agree };
}

function ordered(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((one, other) => one - other);
}

/** For who wants to see the values beside each other: POOLGUARD_FIGURES names a file. */
function note(compared: readonly Compared[]): void {
  const file = process.env['POOLGUARD_FIGURES'];
  if (file === undefined) return;
  const short = (numbers: readonly number[]) =>
    numbers.map((each) => Number(each.toPrecision(4))).join(' ');
  for (const { figure, unit, shown, independent, beside } of compared)
    appendFileSync(
      file,
      `${[figure, unit, short(shown), short(independent), beside].join('\t')}\n`,
    );
}
