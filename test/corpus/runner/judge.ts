import { bugClasses, pairClassOf, type BugClass } from './classes.ts';
import type { FixPair, Site } from './labels.ts';
import { functionAround, type Lines, type LintedSource, type Report } from './linted-source.ts';

/** A labelled site and what was reported for it, by bug class. */
export interface JudgedSite {
  readonly site: Site;
  readonly reports: Readonly<Record<string, readonly Report[]>>;
}

export interface JudgedFile {
  readonly sites: readonly JudgedSite[];
  /** Reports that belong to no labelled site. */
  readonly outside: readonly Report[];
}

/** Without a syntax tree, a function is taken to begin shortly before the acquire. */
const guessedLength = 60;

/** Gives the reports of a file to its labelled sites. A report next to an acquire is for that one; else it is for the function's. */
export function judgeFile(sites: readonly Site[], source: LintedSource): JudgedFile {
  const placed = sites.map((site) => ({ site, lines: linesAround(site, source) }));
  const used = new Set<Report>();
  const judged = placed.map(({ site, lines }) => {
    const isAlone = placed.every(
      (other) => other.site === site || other.lines.start !== lines.start,
    );
    const reports = bugClasses
      .map((bugClass) => [bugClass.id, reportsFor(site, lines, isAlone, bugClass, source)] as const)
      .filter(([, found]) => found.length > 0);
    for (const report of reports.flatMap(([, found]) => found)) used.add(report);
    return { site, reports: Object.fromEntries(reports) };
  });
  const ofClasses = source.reports.filter(({ rule }) =>
    bugClasses.some(({ rules }) => rules.includes(rule)),
  );
  return { sites: judged, outside: ofClasses.filter((report) => !used.has(report)) };
}

function linesAround({ line }: Site, { functions }: LintedSource): Lines {
  if (functions === null) return { start: line - 2, end: line + guessedLength };
  return functionAround(functions, line) ?? { start: 1, end: Infinity };
}

function reportsFor(
  site: Site,
  lines: Lines,
  isAlone: boolean,
  { rules, isOfAcquire }: BugClass,
  source: LintedSource,
): readonly Report[] {
  const ours = source.reports.filter(({ rule }) => rules.includes(rule));
  const near = ours.filter(({ line }) => isNear(line, site.line));
  if (near.length > 0) return near;
  return isOfAcquire && !isAlone ? [] : ours.filter(({ line }) => isWithin(line, lines));
}

/** An acquire may be spread over two lines. */
function isNear(line: number, other: number): boolean {
  return Math.abs(line - other) <= 1;
}

function isWithin(line: number, { start, end }: Lines): boolean {
  return start <= line && line <= end;
}

/** The reports that speak of a fix pair's bug on one side of the fix. */
export function reportsOfPair(
  pair: FixPair,
  line: number,
  { reports, functions }: LintedSource,
): readonly Report[] {
  const { rules, isOfAcquire } = pairClassOf(pair);
  const ours = reports.filter((report) => rules.includes(report.rule));
  const near = ours.filter((report) => isNear(report.line, line));
  if (near.length > 0) return near;
  if (isOfAcquire) return [];
  const lines = functionAround(functions ?? [], line) ?? {
    start: line - 1,
    end: line + guessedLength,
  };
  return ours.filter((report) => isWithin(report.line, lines));
}
