import type { LintedFile } from '../../lint/linter.ts';
import { positionsIn, type Positions } from '../../lint/positions.ts';
import type { Fix, Problem } from '../../lint/problem.ts';
import { safeFixOf } from './safe-fixes.ts';

const mostRounds = 10;
/** A round whose fixes do not go together tries them one by one; so often a text is linted at most. */
const mostLints = 60;

/** Applies every fix that needs no decision and returns the code, without a byte order mark; unchanged if no fix applies or none improves it. */
export function fixAll(code: string, lint: (text: string) => LintedFile): string {
  let lints = 0;
  const look = (each: string): LintedFile => (lints++, lint(each));
  let current = look(code);
  for (let round = 0; round < mostRounds; round++) {
    const fixes = withoutOverlaps(current.problems.flatMap((problem) => safeFixOf(problem) ?? []));
    const attempts =
      fixes.length > 1 ? [fixes, ...fixes.map((fix) => [fix])] : fixes.map((fix) => [fix]);
    const better = firstBetter(current, attempts, (each) =>
      lints < mostLints ? look(each) : undefined,
    );
    if (better === undefined) break;
    current = better;
  }
  return current.text;
}

function firstBetter(
  before: LintedFile,
  attempts: readonly (readonly Fix[])[],
  look: (text: string) => LintedFile | undefined,
): LintedFile | undefined {
  for (const fixes of attempts) {
    const after = look(applied(before.text, fixes));
    if (after !== undefined && isBetter(before, after)) return after;
  }
  return undefined;
}

/** In the order of the file; of two that touch the same text, the first. */
function withoutOverlaps(fixes: readonly Fix[]): readonly Fix[] {
  const kept: Fix[] = [];
  for (const fix of [...fixes].sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1])) {
    const last = kept.at(-1);
    if (last === undefined || last.range[1] < fix.range[0]) kept.push(fix);
  }
  return kept;
}

function applied(text: string, fixes: readonly Fix[]): string {
  return fixes.reduceRight(
    (whole, { range: [start, end], text: replacement }) =>
      whole.slice(0, start) + replacement + whole.slice(end),
    text,
  );
}

/** It parses, something was fixed, and nothing is reported that was not before. */
function isBetter(before: LintedFile, after: LintedFile): boolean {
  if (after.problems.some(({ rule }) => rule === null)) return false;
  const [was, is] = [countsOf(before), countsOf(after)];
  const isWorse = [...is].some(
    ([identity, amount]) => !identity.startsWith(speaksLast) && amount > (was.get(identity) ?? 0),
  );
  return !isWorse && [...was].some(([identity, amount]) => amount > (is.get(identity) ?? 0));
}

/** This rule waits until nothing worse is to be said of a checkout, so it may speak first after a fix. */
const speaksLast = 'poolguard/prefer-pool-query';

/** Lines move, so a problem is known by its rule and the code that it stands on. */
function countsOf({ text, problems }: LintedFile): ReadonlyMap<string, number> {
  const positions = positionsIn(text);
  const counts = new Map<string, number>();
  for (const problem of problems) {
    const identity = `${problem.rule ?? ''} ${codeAt(positions, problem)}`;
    counts.set(identity, (counts.get(identity) ?? 0) + 1);
  }
  return counts;
}

function codeAt(positions: Positions, { place: { start, end } }: Problem): string {
  return positions
    .lineAt(start.line)
    .slice(start.column, start.line === end.line ? end.column : undefined)
    .trimEnd();
}
