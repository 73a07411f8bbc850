/**
 * What a monitor says of the application that it watches. Reporters inside the application turn it into lines, into metrics, or send it
 * as lines of JSON to a listener on the same machine; the listener answers with a `Command`.
 *
 * Times of day are milliseconds since 1970, spans are milliseconds.
 */

/** Raised whenever a reader would have to change. */
export const protocolVersion = 1;

/** A place in the code: in the source that somebody wrote, where a source map tells. */
export interface CodePlace {
  /** Absolute path, or a `file:` URL's path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly function: string | null;
}

/** What happened up to a moment, in how many milliseconds; null percentiles of none. */
export interface Times {
  readonly count: number;
  readonly averageMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** How long something took each time: count, sum and maximum exactly, each time to 0.8 %. */
export interface Distribution {
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
  /** So many took about so long; by rising time. */
  readonly steps: readonly (readonly [ms: number, count: number])[];
}

/** What happened in a pool between two cuts of a listener. */
export interface Span {
  readonly pool: number;
  /** From asking for a client to having it; null of none. */
  readonly wait: Distribution | null;
  /** From having a client to giving it back; null of none. */
  readonly hold: Distribution | null;
}

/** A pool of the application, told once, when it is first seen. */
export interface WatchedPool {
  /** Unique in its thread. */
  readonly id: number;
  /** `application_name`, or else what `watchPool` was told, or else "pool 1". */
  readonly name: string;
  /** Whose pool it is, for example "Knex"; missing from an older monitor, which saw pools of `pg` only. */
  readonly library?: string;
  readonly applicationName: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly database: string | null;
  readonly max: number;
  /** Clients that stay open though nobody uses them; 0 or missing for none. */
  readonly min?: number;
  /** Null for none, which makes callers wait indefinitely. */
  readonly connectionTimeoutMs: number | null;
  /** For example "3.14.0"; null when it cannot be told. */
  readonly driverVersion: string | null;
  /** Where the pool was made. */
  readonly madeAt: CodePlace | null;
}

/** One look at a pool, and what happened since the sample before. */
export interface CounterSample {
  readonly pool: number;
  readonly at: number;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
  /** The longest queue since the report before, sampled every 50 ms and at each checkout. */
  readonly peakWaiting: number;
  /** Checkouts since the report before. */
  readonly acquired: number;
  /** Callers that gave up, or could not be given a client, since the report before. */
  readonly failed: number;
  /** Of those, the ones for which `connectionTimeoutMillis` was over; missing when that is not told apart. */
  readonly timedOut?: number;
  /** From asking for a client to having it, since the report before. */
  readonly wait: Times | null;
  /** From having a client to giving it back, since the report before. */
  readonly hold: Times | null;
}

/** A client that is out for longer than the threshold. */
export interface HeldCheckout {
  readonly pool: number;
  /** Unique in its thread. */
  readonly checkout: number;
  readonly since: number;
  /** Process id of the PostgreSQL backend; null when the driver does not tell. A pooler makes it up. */
  readonly backendPid: number | null;
  /** Local port of its connection; null for a socket, or when it cannot be told. */
  readonly clientPort: number | null;
  /** Where it was acquired, the application's own code first; empty when stacks are off. */
  readonly acquiredAt: readonly CodePlace[];
}

/** The driver was asked for something that only works by luck. */
export interface Mistake {
  readonly pool: number;
  readonly mistake: 'double-release' | 'use-after-release' | 'open-transaction';
  readonly at: number;
  /** Where the client was acquired, released for the first time, and misused. Empty when stacks are off. */
  readonly acquiredAt: readonly CodePlace[];
  readonly releasedAt: readonly CodePlace[];
  readonly misusedAt: readonly CodePlace[];
}

export type Report =
  /** The first of each thread. */
  | {
      readonly kind: 'hello';
      readonly version: typeof protocolVersion;
      /** What the listener gave through the environment; a listener ignores who does not know it. */
      readonly token: string;
      readonly pid: number;
      readonly parentPid: number;
      /** 0 in the main thread. */
      readonly threadId: number;
      /** What was started: the script's path, or "node". */
      readonly script: string;
      readonly folder: string;
      readonly node: string;
      readonly startedAt: number;
    }
  | { readonly kind: 'pool'; readonly pool: WatchedPool }
  /** Twice a second while something changes, else every five seconds. */
  | { readonly kind: 'look'; readonly look: CounterSample }
  /** Answers a `cut`: what happened since the one before, or since the pool was made; one for each pool, after its look. */
  | { readonly kind: 'span'; readonly cut: number; readonly span: Span }
  /** All spans of that cut have been told. */
  | { readonly kind: 'cut'; readonly cut: number }
  | { readonly kind: 'held'; readonly held: HeldCheckout }
  /** A checkout that was told as held has come back. */
  | {
      readonly kind: 'returned';
      readonly pool: number;
      readonly checkout: number;
      readonly forMs: number;
    }
  | { readonly kind: 'mistake'; readonly mistake: Mistake }
  /** A threshold is crossed: `isOver` while the figure is beyond it (more callers wait, or all clients are open and fewer of them idle), false when it is not any more. The figure is then a number of callers, or the share of the open clients that is idle: 0 of none. */
  | {
      readonly kind: 'alert';
      readonly pool: number;
      readonly alert: 'waiting' | 'idle';
      readonly isOver: boolean;
      readonly value: number;
      readonly threshold: number;
    }
  /** `pool.end()` was called, and waits for these. Told once, after a moment; the client of a `pool.query` comes back by itself and is none of them. */
  | { readonly kind: 'ending'; readonly pool: number; readonly out: readonly HeldCheckout[] }
  /** The pool has been ended. */
  | { readonly kind: 'ended'; readonly pool: number }
  /** The thread ends; what is still out never came back. */
  | { readonly kind: 'exit'; readonly out: readonly HeldCheckout[] }
  /** The monitor itself failed and watches no longer. Said once. */
  | { readonly kind: 'broken'; readonly sentence: string };

/** What a listener says to the monitor, as lines of JSON. */
export type Command =
  | { readonly kind: 'welcome' }
  /** Changes `pool.options.max`, which pg-pool reads at each checkout, and closes idle clients beyond it. */
  | { readonly kind: 'set-max'; readonly pool: number; readonly max: number }
  /** Asks for what happened up to now: figures of a load begin and end with it. */
  | { readonly kind: 'cut'; readonly cut: number };
