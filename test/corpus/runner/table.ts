import { readFileSync } from 'node:fs';
import { CouldNotRun } from '../../../src/cli/exit-code.ts';

/** What a row holds in a column. */
export type Cell = (column: string) => string;

/** The rows below a head that names the columns, separated by tabs. */
export interface LabelTable {
  readonly columns: readonly string[];
  readonly rows: readonly Cell[];
}

export function readTable(file: string): LabelTable {
  const [head = '', ...lines] = textOf(file).trimEnd().split(/\r?\n/u);
  const columns = head.split('\t');
  const rows = lines.map((line, index) => {
    const values = line.split('\t');
    const place = `${file}, line ${index + 2}`;
    return (column: string) => {
      const at = columns.indexOf(column);
      if (at === -1)
        throw new CouldNotRun(
          `${file} has no column ${column}. Its first line names the columns, separated by tabs.`,
        );
      return checked(column, values[at] ?? '', place);
    };
  });
  return { columns, rows };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CouldNotRun(
      `${file} cannot be read. It should be a table of labels, separated by tabs.`,
    );
  }
}

const shapes: readonly {
  readonly column: RegExp;
  readonly value: RegExp;
  readonly wanted: string;
}[] = [
  { column: /^repo$/u, value: /^[\w-]+\/[\w][\w.-]*$/u, wanted: 'owner/name' },
  { column: /commit$/u, value: /^[0-9a-f]{40}$/u, wanted: 'a whole hash of 40 hexadecimal digits' },
  { column: /line$/u, value: /^[1-9]\d*$/u, wanted: 'a line number' },
  {
    column: /^(?:outer|slow|concurrent)$/u,
    value: /^(?:-|\?|[1-9]\d*(?:,[1-9]\d*)*)$/u,
    wanted: 'lines separated by commas, - or ?',
  },
  {
    column: /^manual$/u,
    value: /^(?:n\/a|ok|\?|leak-(?:throw|return|never|other))$/u,
    wanted: 'n/a, ok, ? or how it leaks',
  },
  {
    column: /path$/u,
    value: /^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$)).+$/u,
    wanted: 'a path inside the repository',
  },
];

function checked(column: string, value: string, place: string): string {
  const shape = shapes.find((each) => each.column.test(column));
  if (shape !== undefined && !shape.value.test(value))
    throw new CouldNotRun(`${place}: the column ${column} should hold ${shape.wanted}.`);
  return value;
}
