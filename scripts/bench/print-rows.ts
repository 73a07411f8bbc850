import Table from 'cli-table3';
import type pc from 'picocolors';
import { isMet, type Row } from './figures.ts';

type Colors = ReturnType<typeof pc.createColors>;

/** The result for people: a table with each figure's goal, and below it how groups were measured that say so. */
export function printRows(rows: readonly Row[], colors: Colors): string {
  const table = new Table({
    head: ['', 'what', 'median', 'from – to', 'goal', '', ''],
    style: { head: [], border: [] },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'left', 'left'],
  });
  let group = '';
  for (const row of rows) {
    table.push([
      row.group === group ? '' : row.group,
      row.name,
      figure(row.value.median, row),
      `${figure(row.value.low, row)} – ${figure(row.value.high, row)}`,
      row.goal === null ? '' : `≤ ${row.goal} ${row.unit}`,
      verdict(row, colors),
      row.note,
    ]);
    group = row.group;
  }
  const methods = new Map(
    rows.flatMap(({ group: name, method }) => (method === undefined ? [] : [[name, method]])),
  );
  return [
    table.toString(),
    ...[...methods].map(([name, method]) => `${colors.bold(name)}: ${method}`),
  ].join('\n');
}

const digits: Readonly<Record<Row['unit'], number>> = {
  '%': 1,
  ms: 3,
  s: 3,
  power: 2,
  times: 2,
  MB: 1,
  kB: 1,
  mistakes: 0,
};

export function figure(value: number, { unit }: Pick<Row, 'unit'>): string {
  return Number.isNaN(value)
    ? 'unknown'
    : `${value.toFixed(digits[unit])}${unit === 'power' ? '' : ` ${unit}`}`;
}

function verdict(row: Row, colors: Colors): string {
  const met = isMet(row);
  return met === null ? '' : met ? colors.green('met') : colors.red('missed');
}

/** The result for machines: rows with their verdict. */
export function toJson(rows: readonly Row[]): string {
  return `${JSON.stringify(
    rows.map((row) => ({ ...row, isMet: isMet(row) })),
    null,
    2,
  )}\n`;
}
