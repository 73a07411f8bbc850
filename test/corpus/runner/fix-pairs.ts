import { pairClassOf } from './classes.ts';
import { reportsOfPair } from './judge.ts';
import type { CodePlace, FixPair } from './labels.ts';
import type { LintedSource } from './linted-source.ts';

/** What was linted of a place; undefined when it could not be had. */
export type LookUp = (place: CodePlace) => LintedSource | undefined;

export interface PairResults {
  readonly measured: number;
  readonly missing: number;
  /** Pairs whose rules the plugin does not have. */
  readonly skipped: number;
  readonly byRule: Readonly<Record<string, PairScore>>;
  /** Pairs where it is silent before the fix, or speaks after it. */
  readonly failed: readonly string[];
}

export interface PairScore {
  readonly pairs: number;
  readonly caught: number;
  readonly quietAfter: number;
  readonly both: number;
}

export function pairResults(
  pairs: readonly FixPair[],
  hasRule: (wanted: readonly string[]) => boolean,
  lookUp: LookUp,
): PairResults {
  const known = pairs.filter((pair) => hasRule(pairClassOf(pair).rules));
  const judged = known.flatMap((pair) => judgePair(pair, lookUp) ?? []);
  const names = [...new Set(judged.map(({ pair }) => pairClassOf(pair).id))];
  return {
    measured: judged.length,
    missing: known.length - judged.length,
    skipped: pairs.length - known.length,
    byRule: Object.fromEntries(
      names.map((name) => [
        name,
        pairScore(judged.filter(({ pair }) => pairClassOf(pair).id === name)),
      ]),
    ),
    failed: judged.filter(({ isCaught, isQuiet }) => !isCaught || !isQuiet).map(describePair),
  };
}

interface JudgedPair {
  readonly pair: FixPair;
  readonly isCaught: boolean;
  readonly isQuiet: boolean;
}

function judgePair(pair: FixPair, lookUp: LookUp): JudgedPair | undefined {
  const [before, after] = [lookUp(pair.before), lookUp(pair.after)];
  if (before === undefined || after === undefined) return undefined;
  const isQuiet = pair.isDirtyAfter || reportsOfPair(pair, pair.after.line, after).length === 0;
  return { pair, isCaught: reportsOfPair(pair, pair.before.line, before).length > 0, isQuiet };
}

function pairScore(judged: readonly JudgedPair[]): PairScore {
  const count = (isWanted: (pair: JudgedPair) => boolean) => judged.filter(isWanted).length;
  return {
    pairs: judged.length,
    caught: count(({ isCaught }) => isCaught),
    quietAfter: count(({ isQuiet }) => isQuiet),
    both: count(({ isCaught, isQuiet }) => isCaught && isQuiet),
  };
}

function describePair({ pair, isCaught }: JudgedPair): string {
  const { before, after, reason } = pair;
  const { repo, commit, path, line } = isCaught ? after : before;
  return `${pairClassOf(pair).id}: ${isCaught ? 'speaks after the fix' : 'silent before the fix'}, ${repo}@${commit.slice(0, 10)} ${path}:${line}. ${reason}`;
}
