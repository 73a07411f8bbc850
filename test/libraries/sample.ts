/** A library as its row in `rules/model/libraries/` has it. */
export interface Sample {
  /** The module of the row. */
  readonly module: string;
  /** Distinguishes samples of one module. */
  readonly variant?: string;
  /** Calls of the row that only other versions than the installed one have. */
  readonly elsewhere?: readonly string[];
  /** What becomes of a transaction whose callback does not wait for a query that the server refuses, where that is not what most libraries make of it. */
  readonly unawaited?: Unawaited;
  open(url: string, options: PoolOptions): Calls | Promise<Calls>;
}

/** It resolves and is rolled back, it rejects and is rolled back, or it is committed before the query is sent, which the library refuses. */
export type Unawaited = 'unseen' | 'seen' | 'late';

/** One that shows what the mistakes come to. */
export interface HabitsSample extends Sample {
  /** How a transaction fails that waits for a second connection while the pool has none. */
  readonly exhausted: RegExp;
  /** What the library says to a statement that a transaction sends outside itself, although a connection is free. */
  readonly forbids?: RegExp;
  /** What it says to a statement over the handle of an ended transaction; null where it sends the statement. */
  readonly ended: RegExp | null;
  /** A statement over a connection is sent before the one ahead of it is answered. */
  readonly isPipelined?: boolean;
  open(url: string, options: PoolOptions): Habitual | Promise<Habitual>;
}

export interface PoolOptions {
  readonly max: number;
  /** How long a call may wait for a connection; in a library without such a limit, how long a transaction may be idle. */
  readonly patienceMs: number;
}

/** A library in whose transactions the handles of the pool join, as its row has it. */
export interface AmbientSample {
  readonly module: string;
  readonly exhausted: RegExp;
  /** Its values of the option that tells how a transaction stands to the one around it. */
  readonly propagations: readonly string[];
  open(url: string, options: PoolOptions): Promise<AmbientCalls>;
}

export interface AmbientCalls extends Opened {
  /** What the row says to hold a connection, with the propagation that it is asked for. */
  readonly holds: Readonly<Record<string, Holds>>;
  /** Queries of the pool's handles. */
  readonly joins: Readonly<Record<string, Call>>;
  /** Calls of theirs that take a connection in any case. */
  readonly apart: Readonly<Record<string, Call>>;
}

export type Holds = (work: () => Promise<void>, propagation?: string) => PromiseLike<unknown>;

export type Call = () => PromiseLike<unknown>;

/** A handle on a pool of its own, in a database whose table `note` has one column, `text`. */
export interface Opened {
  /** Inserts a note over the handle of the pool. */
  write(text: string): PromiseLike<unknown>;
  end(): PromiseLike<unknown>;
}

export interface Calls<Inner = unknown> extends Opened {
  /** Calls that lend a connection to a callback, by their path in the row. */
  readonly lends: Readonly<
    Record<string, (work: (inner: Inner) => Promise<void>) => PromiseLike<unknown>>
  >;
  /** Calls that send a statement, by the path or method in the row. */
  readonly sends: Readonly<Record<string, Call>>;
  /** Calls of the outer handle in a transaction that take no connection; those of `boundBy` by their names. */
  harmless(inner: Inner): Readonly<Record<string, () => unknown>>;
  /** Calls that take a connection, by their path in the row; each resolves with the call that gives it back. */
  readonly begins: Readonly<Record<string, () => Promise<Call>>>;
  /** Begins and fails to end, by the method in the row after whose failure the connection is still out; each resolves with the call that gives it back. */
  readonly failsToEnd?: Readonly<Record<string, () => Promise<Call>>>;
  /** Inserts a note, over the outer handle unless an inner one is given. */
  write(text: string, inner?: Inner): PromiseLike<unknown>;
}

export interface Habitual<Inner = unknown> extends Calls<Inner> {
  readonly mistakes: Mistakes;
  readonly cures: Habits;
}

/** The same work in a wrong and a right way; a line that is reported ends with `// expect: <rule>`. */
export interface Habits {
  /** Writes `inner` and `outer` in a transaction, which fails afterwards if it is told to. */
  writes(fails: boolean): PromiseLike<unknown>;
  /** Requests the URL and writes `asked` in a transaction. */
  asks(url: string): PromiseLike<unknown>;
  /** Takes the lock and writes `second` in a transaction. */
  sendsTwo(): PromiseLike<unknown>;
}

export interface Mistakes extends Habits {
  /** Writes `late` over the handle of a transaction that has ended. */
  writesLate(): PromiseLike<unknown>;
}

/** Waits until the test lets it go on. */
export const lock = 'SELECT pg_advisory_xact_lock(1)';
export const second = "INSERT INTO note VALUES ('second')";
export const rolledBack = 'rolled back on purpose';
