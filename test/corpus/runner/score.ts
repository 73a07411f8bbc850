import type { BugClass } from './classes.ts';
import type { JudgedSite } from './judge.ts';

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

export function scoreOf(sites: readonly JudgedSite[], { id, isBug }: BugClass): Score {
  const clear = sites.filter(({ site }) => site.label !== 'unclear');
  const count = (bug: boolean, reported: boolean) =>
    clear.filter(
      ({ site, reports }) => isBug(site) === bug && (reports[id] !== undefined) === reported,
    ).length;
  return toScore(count(true, true), count(true, false), count(false, true));
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
