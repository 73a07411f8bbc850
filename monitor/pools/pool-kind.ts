import type { WatchedPool } from '../report.ts';
import type { CapturedStack } from '../watch/stack.ts';

/** How many connections are open, those of them that nobody uses, callers that wait, and the most that may be open. */
export interface Counters {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

/** What a pool says of itself. */
export type Described = Pick<
  WatchedPool,
  | 'applicationName'
  | 'host'
  | 'port'
  | 'database'
  | 'max'
  | 'min'
  | 'connectionTimeoutMs'
  | 'driverVersion'
>;

/** The server's side of a connection, as far as its driver tells. */
export interface Session {
  readonly backendPid: number | null;
  readonly clientPort: number | null;
}

/**
 * What the pool of one library looks like: the only thing that is known of a library. `P` is its pool, `C` what it lends.
 * Whoever observes a pool asks its kind; a kind observes nothing.
 */
export interface PoolKind<P extends object = object, C extends object = object> {
  /** As people call it. */
  readonly library: string;
  /** The pool that was handed over, or that what was handed over has; null for something else. It may still be at its constructor. */
  findPool(given: unknown): P | null;
  /** Has asks, acquires and releases of this pool told to the watch that it bears; done once for each class of pools. */
  follow(pool: P): void;
  /** Whether its constructor has come to its end. */
  isMade(pool: P): boolean;
  describe(pool: P, madeFrom: CapturedStack | null): Described;
  counters(pool: P): Counters;
  /** What is lent, and more where that is cheaper: a checkout that is out is known by its own state. */
  lent(pool: P): Iterable<C>;
  session(lent: C): Session;
  /** Whether it was told to end, and whether it has. */
  end(pool: P): { readonly isEnding: boolean; readonly isEnded: boolean };
  /** Whether a transaction is open and nothing under way; missing where that cannot be told. */
  hasOpenTransaction?(lent: C): boolean;
  /** Changes the size of a live pool; missing where nobody asks for it. */
  setMax?(pool: P, max: number): void;
  /** Something is about to be given back to a pool that was made smaller. */
  leaveIfTooMany?(pool: P, lent: C): void;
}

export type OnFound = (pool: object, madeFrom: CapturedStack | null) => void;

/**
 * Is shown each `EventEmitter` at the start of its constructor, when it has no field yet, whoever loaded its class and wherever that
 * file lies.
 */
export interface EmitterSource {
  /** A member by which its class is known. */
  readonly hasMark: string;
  onMade(emitter: object, onFound: OnFound): void;
}

/** Is shown what a module exports. */
export interface ModuleSource {
  /** As it is asked for by `require`. */
  readonly request: RegExp;
  /** The package, when it comes as an ES module too; its default export is shown. */
  readonly esModule?: string;
  /** Gives what takes its place: the same unless it has to be another. */
  onLoaded(exported: unknown, onFound: OnFound): unknown;
}

/** How pools of a kind are found in an application that was not changed. */
export interface PoolSource {
  readonly emitters?: readonly EmitterSource[];
  readonly modules?: readonly ModuleSource[];
}
