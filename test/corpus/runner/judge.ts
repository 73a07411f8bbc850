import { acquireRules, pairClassOf, type BugClass, type Label } from './classes.ts';
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

/** Gives the reports of a file to its labelled sites, by class. */
export function judgeFile(
  sites: readonly Site[],
  source: LintedSource,
  classes: readonly BugClass[],
): JudgedFile {
  const used = new Set<Report>();
  const judged = sites.map((site) => {
    const reports = classes
      .map((bugClass) => [bugClass.id, reportsFor(site, sites, bugClass, source)] as const)
      .filter(([, found]) => found.length > 0);
    for (const report of reports.flatMap(([, found]) => found)) used.add(report);
    return { site, reports: Object.fromEntries(reports) };
  });
  const ofClasses = source.reports.filter(({ rule }) =>
    classes.some(({ rules }) => rules.includes(rule)),
  );
  return { sites: judged, outside: ofClasses.filter((report) => !used.has(report)) };
}

function reportsFor(
  site: Site,
  all: readonly Site[],
  bugClass: BugClass,
  source: LintedSource,
): readonly Report[] {
  const ours = source.reports.filter(({ rule }) => bugClass.rules.includes(rule));
  if (site.endLine === null) return reportsInFunction(site, all, source, ours);
  const owned = ours.filter((report) => ownerOf(report, all, bugClass) === site);
  return countedIn(site.labels[bugClass.id], owned);
}

/** A report next to an acquire is for that one; else it is for the function's. */
function reportsInFunction(
  site: Site,
  all: readonly Site[],
  source: LintedSource,
  ours: readonly Report[],
): readonly Report[] {
  const near = ours.filter(({ line }) => isNear(line, site.line));
  if (near.length > 0) return near;
  const lines = linesAround(site, source);
  const isAlone = all.every(
    (other) => other === site || linesAround(other, source).start !== lines.start,
  );
  return ours.filter(
    ({ rule, line }) => isWithin(line, lines) && (isAlone || !acquireRules.has(rule)),
  );
}

/** The site whose label names the line, else the innermost around it; a leak belongs to its acquire alone. */
function ownerOf(
  { rule, line }: Report,
  sites: readonly Site[],
  { id }: BugClass,
): Site | undefined {
  if (acquireRules.has(rule)) return sites.find((site) => isNear(line, site.line));
  const around = sites
    .filter((site) => isWithin(line, { start: site.line, end: site.endLine ?? site.line }))
    .sort((a, b) => lengthOf(a) - lengthOf(b));
  return around.find((site) => isOnLine(line, site.labels[id])) ?? around[0];
}

function lengthOf({ line, endLine }: Site): number {
  return (endLine ?? line) - line;
}

/** Where nobody could decide, a report counts for nothing; nor does another one beside a bug that was found. */
function countedIn(label: Label | undefined, owned: readonly Report[]): readonly Report[] {
  if (label === undefined || label.verdict === 'unclear') return [];
  const hits = owned.filter(({ line }) => isOnLine(line, label));
  return hits.length > 0 ? hits : owned;
}

function isOnLine(line: number, label: Label | undefined): boolean {
  return label?.lines.some((each) => isNear(line, each)) ?? false;
}

/** Whether a label's bug is reported. */
export function isFound(label: Label, reports: readonly Report[]): boolean {
  return label.lines.length === 0
    ? reports.length > 0
    : reports.some(({ line }) => isOnLine(line, label));
}

/** The lines of a label that are reported. */
export function linesFound({ lines }: Label, reports: readonly Report[]): readonly number[] {
  return lines.filter((line) => reports.some((report) => isNear(report.line, line)));
}

function linesAround({ line }: Site, { functions }: LintedSource): Lines {
  if (functions === null) return { start: line - 2, end: line + guessedLength };
  return functionAround(functions, line) ?? { start: 1, end: Infinity };
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
