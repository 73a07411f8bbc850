import { median } from 'simple-statistics';

/** What one run of a fixture came to. */
export interface Run {
  readonly fixture: string;
  readonly run: number;
  /** What other programs did meanwhile: the name of a level. */
  readonly level: string;
  /** Null when it refused to name a number. */
  readonly pick: number | null;
  readonly confidence: number | null;
  readonly interval: readonly [low: number, high: number] | null;
  /** Whether the interval holds a right answer. */
  readonly isHeld: boolean;
  readonly verdict: string;
  readonly isRight: boolean;
  /** Throughput at the pick, of the best. Null where nothing tells. */
  readonly regret: number | null;
  readonly elapsedMs: number;
  /** Cores that other programs used on average; null where it could not be seen. */
  readonly foreignCores: number | null;
}

export interface Score {
  readonly runs: number;
  readonly named: number;
  /** Of those that named a number, 0 to 1. */
  readonly rightShare: number;
  /** Highest confidence of a wrong answer; null when none was wrong. */
  readonly confidenceWhenWrong: number | null;
  /** The worst. */
  readonly regret: number | null;
  readonly picks: readonly number[];
  readonly medianSeconds: number;
  readonly slowestSeconds: number;
}

/** Sums up the runs of one fixture, or of several. */
export function toScore(runs: readonly Run[]): Score {
  const named = runs.filter(({ pick }) => pick !== null);
  const wrong = named.filter(({ isRight }) => !isRight);
  const regrets = named.flatMap(({ regret }) => (regret === null ? [] : [regret]));
  const seconds = runs.map(({ elapsedMs }) => elapsedMs / 1000);
  return {
    runs: runs.length,
    named: named.length,
    rightShare: named.length === 0 ? 0 : 1 - wrong.length / named.length,
    confidenceWhenWrong:
      wrong.length === 0 ? null : Math.max(...wrong.map(({ confidence }) => confidence ?? 0)),
    regret: regrets.length === 0 ? null : Math.min(...regrets),
    picks: named.flatMap(({ pick }) => (pick === null ? [] : [pick])).sort((a, b) => a - b),
    medianSeconds: runs.length === 0 ? 0 : median(seconds),
    slowestSeconds: Math.max(0, ...seconds),
  };
}

export interface LevelScore {
  readonly runs: number;
  readonly named: number;
  /** Of those that named a number, 0 to 1. */
  readonly heldShare: number;
  /** Wrong answers that were sure of themselves, of all runs. */
  readonly confidentlyWrong: number;
  /** End of the interval by its start; null without one. */
  readonly medianWidth: number | null;
  readonly medianSeconds: number;
}

const confident = 0.9;

/** Sums up the runs of one level of load: what counts there is whether the interval can be relied on. */
export function toLevelScore(runs: readonly Run[]): LevelScore {
  const named = runs.filter(({ pick }) => pick !== null);
  const widths = named.flatMap(({ interval }) =>
    interval === null ? [] : [interval[1] / interval[0]],
  );
  return {
    runs: runs.length,
    named: named.length,
    heldShare: named.length === 0 ? 0 : named.filter(({ isHeld }) => isHeld).length / named.length,
    confidentlyWrong: named.filter(
      ({ isRight, confidence }) => !isRight && (confidence ?? 0) >= confident,
    ).length,
    medianWidth: widths.length === 0 ? null : median(widths),
    medianSeconds: runs.length === 0 ? 0 : median(runs.map(({ elapsedMs }) => elapsedMs / 1000)),
  };
}
