import { CouldNotRun } from '../../../src/cli/exit-code.ts';
import type { Label } from './classes.ts';
import { setWith, type LabelSet } from './label-sets.ts';
import { readTable, type Cell } from './table.ts';

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

/** One acquire that a person has read and judged: a row of a table of labels. */
export interface Site extends CodePlace {
  /** Where the connection is given back at the latest; null when the label does not tell, and the function around counts. */
  readonly endLine: number | null;
  /** Empty in a set about one driver. */
  readonly library: string;
  readonly isHeadline: boolean;
  /** What it says of each class of its set. */
  readonly labels: Readonly<Record<string, Label>>;
  /** The same before any ruling. */
  readonly firstLabels: Readonly<Record<string, Label>>;
  readonly reason: string;
}

export interface LabelledSites {
  readonly set: LabelSet;
  readonly sites: readonly Site[];
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

export function readSites(file: string): LabelledSites {
  const { columns, rows } = readTable(file);
  const set = setWith(columns);
  return { set, sites: rows.map((cell) => toSite(cell, set)) };
}

const rulings: ReadonlySet<string> = new Set([
  'bug',
  'fine',
  'unclear',
] satisfies Label['verdict'][]);

/**
 * The sites as they are to be read where a row of a table of rulings says so: where the rules and a label had disagreed, the code was
 * read once more, and the label was wrong or the report stands in another file. The labels themselves stay as they were written.
 */
export function ruledBy(file: string, sites: readonly Site[]): readonly Site[] {
  const ruled = new Map<string, Record<string, Label>>();
  for (const cell of readTable(file).rows) {
    const verdict = cell('ruling');
    if (!isVerdict(verdict))
      throw new CouldNotRun(`${file}: a ruling is bug, fine or unclear, not "${verdict}".`);
    const key = keyOf({ repo: cell('repo'), path: cell('path'), line: Number(cell('line')) });
    const text = `${verdict} by ruling: ${cell('reason')}`;
    ruled.set(key, { ...ruled.get(key), [cell('class')]: { verdict, lines: [], text } });
  }
  return sites.map((site) => {
    const own = ruled.get(keyOf(site));
    return own === undefined ? site : { ...site, labels: { ...site.labels, ...own } };
  });
}

function isVerdict(text: string): text is Label['verdict'] {
  return rulings.has(text);
}

function keyOf({ repo, path, line }: Pick<CodePlace, 'repo' | 'path' | 'line'>): string {
  return `${repo} ${path} ${String(line)}`;
}

function toSite(cell: Cell, { classes, hasRegions, isHeadline }: LabelSet): Site {
  const labels = Object.fromEntries(classes.map(({ id, labelOf }) => [id, labelOf(cell)]));
  return {
    ...placeIn(cell, cell('repo')),
    endLine: hasRegions ? Number(cell('end_line')) : null,
    library: hasRegions ? cell('library') : '',
    isHeadline: isHeadline(cell),
    labels,
    firstLabels: labels,
    reason: cell('reason'),
  };
}

export function readFixPairs(file: string): readonly FixPair[] {
  return readTable(file).rows.map((cell) => ({
    before: placeIn(cell, cell('repo'), 'before_'),
    after: placeIn(cell, cell('repo'), 'after_'),
    rule: cell('rule'),
    sub: cell('sub'),
    isDirtyAfter: cell('reason').includes('AFTER-DIRTY'),
    reason: cell('reason'),
  }));
}

function placeIn(cell: Cell, repo: string, prefix = ''): CodePlace {
  return {
    repo,
    commit: cell(`${prefix}commit`),
    path: cell(`${prefix}path`),
    line: Number(cell(`${prefix}line`)),
  };
}
