import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { LintedSource, Report } from './linted-source.ts';

const source = /\.[cm]?[jt]sx?$/u;

/** Every source file of a checkout, sorted, with forward slashes. */
export async function sourceFilesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && source.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return files.map((file) => file.split(sep).join('/')).sort();
}

/** What linting every file of a checkout came to. */
export interface Sweep {
  readonly files: number;
  /** Files that the TypeScript parser does not read, whoever asks: templates, other dialects, broken on purpose. */
  readonly unreadable: number;
  /** `path: what went wrong` where the parser reads a file and we do not. Should be empty. */
  readonly parseFailures: readonly string[];
  /** `path: what went wrong` where a rule threw or never came to an end. Should be empty. */
  readonly crashes: readonly string[];
  /** Reports by rule. */
  readonly reports: Readonly<Record<string, number>>;
  readonly seconds: number;
}

export function sweepOf(sources: readonly LintedSource[]): Sweep {
  const troubles = (kind: string) =>
    sources.flatMap(({ path, trouble }) =>
      trouble?.kind === kind ? [`${path}: ${trouble.text}`] : [],
    );
  return {
    files: sources.length,
    unreadable: troubles('parser').length,
    parseFailures: troubles('ours'),
    crashes: troubles('crash'),
    reports: countByRule(sources.flatMap(({ reports }) => reports)),
    seconds: Number(
      (sources.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1_000).toFixed(1),
    ),
  };
}

function countByRule(reports: readonly Report[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule } of reports) counts[rule] = (counts[rule] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
}

export function sumOf(sweeps: readonly Sweep[]): Sweep {
  return sweeps.reduce(
    (sum, each) => ({
      files: sum.files + each.files,
      unreadable: sum.unreadable + each.unreadable,
      parseFailures: [...sum.parseFailures, ...each.parseFailures],
      crashes: [...sum.crashes, ...each.crashes],
      reports: addUp(sum.reports, each.reports),
      seconds: Number((sum.seconds + each.seconds).toFixed(1)),
    }),
    sweepOf([]),
  );
}

function addUp(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const rules = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(rules.map((rule) => [rule, (a[rule] ?? 0) + (b[rule] ?? 0)]));
}
