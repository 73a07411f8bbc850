import { withoutMark } from '../../rules/project/file-source.ts';
import type { Lint, LintedFile } from './linter.ts';
import type { Fix, Problem } from './problem.ts';

/** The kinds of fixes that may be applied, by `poolguard/<rule>`. */
export type SafeFixes = ReadonlyMap<string, readonly string[]>;

/** What to fix, as data that can be sent to a thread. */
export interface Fixing {
  readonly safe: SafeFixes;
  /** Whether warnings are left as they are. */
  readonly onlyErrors: boolean;
}

interface Attempt {
  readonly problem: Problem;
  readonly fix: Fix;
}

/** As ESLint. */
const mostPasses = 10;

/**
 * Applies safe fixes until none is left. What was applied is linted again, and is kept only if the problem is gone and no other one has come.
 * The file as it was where nothing is kept.
 */
export function fixFile(lint: Lint, before: LintedFile, fixing: Fixing): LintedFile {
  let current = before;
  const applied: string[] = [];
  for (let pass = 0; pass < mostPasses; pass++) {
    const step = firstCure(lint, current, attemptsIn(current, fixing));
    if (step === undefined) break;
    current = step.after;
    applied.push(...step.attempts.map(({ fix }) => fix.title));
  }
  return current === before ? before : { ...current, fixed: { from: before.text, applied } };
}

/** All at once, else the first one that is sound alone. */
function firstCure(lint: Lint, before: LintedFile, all: readonly Attempt[]) {
  const choices = all.length > 1 ? [all, ...all.map((each) => [each])] : [all];
  for (const attempts of choices) {
    if (attempts.length === 0) return undefined;
    const text = applyTo(
      before.text,
      attempts.map(({ fix }) => fix),
    );
    const after = lint({ path: before.path, text });
    if (isCure(before, after, attempts)) return { attempts, after };
  }
  return undefined;
}

/** The first safe fix of each problem, from the start of the file, without those that touch one before. */
function attemptsIn({ problems }: LintedFile, { safe, onlyErrors }: Fixing): readonly Attempt[] {
  const all = problems.flatMap((problem) => {
    const isLeft = onlyErrors && problem.severity !== 'error';
    const kinds = isLeft ? [] : (safe.get(problem.rule ?? '') ?? []);
    const fix = problem.fixes.find(({ kind }) => kind !== undefined && kinds.includes(kind));
    return fix === undefined ? [] : [{ problem, fix }];
  });
  const apart: Attempt[] = [];
  for (const each of all.sort((one, other) => one.fix.range[0] - other.fix.range[0]))
    if (each.fix.range[0] > (apart.at(-1)?.fix.range[1] ?? -1)) apart.push(each);
  return apart;
}

/** Line ends and the byte order mark, which ESLint does not count, are those of the file. */
function applyTo(text: string, fixes: readonly Fix[]): string {
  const bare = withoutMark(text);
  const isWindows = bare.includes('\r\n') && !/(?<!\r)\n/u.test(bare);
  const fixed = fixes.reduceRight((left, { range: [start, end], text: added }) => {
    const put = isWindows ? added.replaceAll(/\r?\n/gu, '\r\n') : added;
    return left.slice(0, start) + put + left.slice(end);
  }, bare);
  return text.slice(0, text.length - bare.length) + fixed;
}

function isCure(before: LintedFile, after: LintedFile, attempts: readonly Attempt[]): boolean {
  if (after.mistake !== undefined || after.problems.some(({ rule }) => rule === null)) return false;
  const [had, has] = [countRules(before), countRules(after)];
  const cured = countBy(attempts.map(({ problem }) => problem.rule ?? ''));
  return [...new Set([...had.keys(), ...has.keys()])].every(
    (rule) => (has.get(rule) ?? 0) <= (had.get(rule) ?? 0) - (cured.get(rule) ?? 0),
  );
}

function countRules({ problems }: LintedFile): ReadonlyMap<string, number> {
  return countBy(problems.map(({ rule }) => rule ?? ''));
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
