import Table from 'cli-table3';
import type pc from 'picocolors';
import type { Judged, SeriesKind } from './judge.ts';
import type { Soaked } from './run-soak.ts';

type Colors = ReturnType<typeof pc.createColors>;

const headOfTable = ['what', 'looks', 'early', 'late', 'trend', 'allowed', ''];

/** The result for people: a row each for what was watched, and how much was done meanwhile. */
export function printSoak(soaked: Soaked, judged: readonly Judged[], colors: Colors): string {
  const table = new Table({
    head: headOfTable,
    style: { head: [], border: [] },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
  });
  for (const row of judged)
    table.push([
      row.name,
      row.looks,
      figure(row.early, row.kind),
      figure(row.late, row.kind),
      `${row.trend > 0 ? '+' : ''}${figure(row.trend, row.kind)}`,
      `+${figure(row.allowed, row.kind)}`,
      verdict(row, colors),
    ]);
  const done = Object.entries(soaked.done)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
  return [table.toString(), `${Math.round(soaked.seconds)} s: ${done}.`, closing(judged)].join(
    '\n',
  );
}

const units: Readonly<Record<SeriesKind, string>> = {
  heap: ' MB',
  resident: ' MB',
  sessions: '',
  count: '',
  left: '',
};

function figure(value: number, kind: SeriesKind): string {
  if (Number.isNaN(value)) return '–';
  return `${units[kind] === '' ? Number(value.toFixed(1)) : value.toFixed(1)}${units[kind]}`;
}

function verdict({ verdict: word }: Judged, colors: Colors): string {
  switch (word) {
    case 'flat':
      return colors.green('flat');
    case 'grows':
      return colors.red('grows');
    case 'unknown':
      return colors.yellow('too few looks');
  }
}

function closing(judged: readonly Judged[]): string {
  const growing = judged.filter(({ verdict: word }) => word === 'grows').map(({ name }) => name);
  if (growing.length > 0) return `Grows: ${growing.join('; ')}.`;
  return judged.every(({ verdict: word }) => word === 'unknown')
    ? 'Too short to say anything.'
    : 'Nothing grows.';
}

/** The result for machines: verdicts with their points. */
export function soakToJson(
  { series, seconds, done, failure }: Soaked,
  judged: readonly Judged[],
): string {
  const watched = judged.map((row, index) => ({ ...row, points: series[index]?.points ?? [] }));
  return `${JSON.stringify({ seconds, done, ...(failure !== undefined && { failure }), watched }, null, 2)}\n`;
}
