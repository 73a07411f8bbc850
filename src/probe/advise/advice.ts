/** What a formula answers without measuring: a starting guess. */
export interface StartingGuess {
  /** For example "HikariCP". */
  readonly name: string;
  /** With its numbers in place, for example "2 × 2 cores + 1 disk". */
  readonly arithmetic: string;
  readonly size: readonly [low: number, high: number];
  /** Where the formula is from, for reading. */
  readonly source: string;
}

/** What the server's own statistics say about the load that it has had (`pg_stat_database`, PostgreSQL 14 and newer). */
export interface ObservedLoad {
  /** Time in statements, in all time that sessions spent in transactions; 0 to 1. */
  readonly busyShare: number;
  /** Sessions that ran a statement at the same time, on average since the statistics began; null where the server does not say when that was. */
  readonly meanActive: number | null;
  /** ISO 8601; null when never reset. */
  readonly since: string | null;
}

export interface Advice {
  readonly guesses: readonly StartingGuess[];
  /** Null where the server does not say, or has seen too little. */
  readonly observed: ObservedLoad | null;
}
