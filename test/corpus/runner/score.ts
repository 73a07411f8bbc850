import type { BugClass } from './classes.ts';
import { isFound, linesFound, type JudgedSite } from './judge.ts';

/** How a bug class fares over some sites. */
export interface Score {
  /** Sites that a person labelled as having the bug. */
  readonly bugs: number;
  readonly found: number;
  readonly missed: number;
  readonly falseAlarms: number;
  /** found of all that was reported; null when nothing was. */
  readonly precision: number | null;
  /** found of all bugs; null when there are none. */
  readonly recall: number | null;
}

export type Outcome = 'found' | 'missed' | 'false alarm' | 'nothing';

/** How what was reported for a site of a class goes with its label. */
export function outcomeOf({ site, reports }: JudgedSite, { id }: BugClass): Outcome {
  const [label, own] = [site.labels[id], reports[id] ?? []];
  if (label?.verdict === 'bug') return isFound(label, own) ? 'found' : 'missed';
  return label?.verdict === 'fine' && own.length > 0 ? 'false alarm' : 'nothing';
}

export function scoreOf(sites: readonly JudgedSite[], bugClass: BugClass): Score {
  const outcomes = sites.map((site) => outcomeOf(site, bugClass));
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  return toScore(count('found'), count('missed'), count('false alarm'));
}

function toScore(found: number, missed: number, falseAlarms: number): Score {
  return {
    bugs: found + missed,
    found,
    missed,
    falseAlarms,
    precision: ratio(found, found + falseAlarms),
    recall: ratio(found, found + missed),
  };
}

/** To three digits, so that figures can be compared and stored. */
function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(3));
}

/** A site may have the bug on several lines. */
export interface LineScore {
  readonly lines: number;
  readonly found: number;
}

export function lineScoreOf(sites: readonly JudgedSite[], { id }: BugClass): LineScore {
  const bugs = sites.flatMap(({ site, reports }) => {
    const label = site.labels[id];
    return label === undefined ? [] : [{ label, reports: reports[id] ?? [] }];
  });
  return {
    lines: bugs.reduce((sum, { label }) => sum + label.lines.length, 0),
    found: bugs.reduce((sum, { label, reports }) => sum + linesFound(label, reports).length, 0),
  };
}
