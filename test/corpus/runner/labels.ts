import { readFileSync } from 'node:fs';
import { CouldNotRun } from '../../../src/cli/exit-code.ts';

/** A line of code in a public repository at one commit. */
export interface CodePlace {
  /** `owner/name` */
  readonly repo: string;
  /** The whole hash: 40 hexadecimal digits. */
  readonly commit: string;
  readonly path: string;
  /** 1-based */
  readonly line: number;
}

/** One acquire that a person has read and judged: a row of sites.tsv. */
export interface Site extends CodePlace {
  readonly kind: string;
  readonly label: string;
  readonly heldExternal: string;
  readonly sessionState: string;
  readonly extras: readonly string[];
  readonly reason: string;
}

/** One real bug fix, before and after: a row of fix_pairs.tsv. */
export interface FixPair {
  readonly before: CodePlace;
  readonly after: CodePlace;
  /** The kind of bug. */
  readonly rule: string;
  /** Which of its kind. */
  readonly sub: string;
  /** The fix left another real bug there, so only the side before it counts. */
  readonly isDirtyAfter: boolean;
  readonly reason: string;
}

type Cell = (column: string) => string;

export function readSites(file: string): readonly Site[] {
  return readRows(file, (cell) => ({
    ...placeIn(cell, cell('repo')),
    kind: cell('kind'),
    label: cell('label'),
    heldExternal: cell('held_external'),
    sessionState: cell('session_state'),
    extras: cell('extras').split(','),
    reason: cell('reason'),
  }));
}

export function readFixPairs(file: string): readonly FixPair[] {
  return readRows(file, (cell) => ({
    before: placeIn(cell, cell('repo'), 'before_'),
    after: placeIn(cell, cell('repo'), 'after_'),
    rule: cell('rule'),
    sub: cell('sub'),
    isDirtyAfter: cell('reason').includes('AFTER-DIRTY'),
    reason: cell('reason'),
  }));
}

/** Sites of tests, of unclear meaning, without an acquire, or in programs that end anyway say little about a tool: they stay out of the headline figures. */
export function isHeadline({ kind, label, extras }: Site): boolean {
  return (
    kind !== 'test' &&
    label !== 'unclear' &&
    !extras.includes('no-acquire') &&
    !extras.includes('process-exit')
  );
}

function readRows<T>(file: string, toRow: (cell: Cell) => T): readonly T[] {
  const [head = '', ...lines] = textOf(file).trimEnd().split(/\r?\n/u);
  const columns = head.split('\t');
  return lines.map((line, index) => {
    const values = line.split('\t');
    const place = `${file}, line ${index + 2}`;
    return toRow((column) => {
      const at = columns.indexOf(column);
      if (at === -1)
        throw new CouldNotRun(
          `${file} has no column ${column}. Its first line names the columns, separated by tabs.`,
        );
      return checked(column, values[at] ?? '', place);
    });
  });
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

function placeIn(cell: Cell, repo: string, prefix = ''): CodePlace {
  return {
    repo,
    commit: cell(`${prefix}commit`),
    path: cell(`${prefix}path`),
    line: Number(cell(`${prefix}line`)),
  };
}
