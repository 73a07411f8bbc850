import { median } from 'simple-statistics';

/** What one run of a fixture came to. */
export interface Run {
  readonly fixture: string;
  readonly run: number;
  /** Null when it refused to name a number. */
  readonly pick: number | null;
  readonly confidence: number | null;
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
