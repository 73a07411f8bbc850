import type { Cell, Column, Row, Table } from '../sheet.ts';

/** A column together with where its cells come from. */
export interface Field<Item> extends Column {
  readonly of: (item: Item) => Cell;
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
