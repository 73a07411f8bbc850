import type { Place } from '../syntax/place.ts';
import type { DeclaredPool } from '../values/pools/declared-pool.ts';

/** Lines of a file, the first is 1; both ends belong to it. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** A query that is sent over a held client. */
export interface HeldStatement {
  readonly place: Place;
  /** How its SQL begins, for example "UPDATE accounts SET"; undefined when the text is not known. */
  readonly words: string | undefined;
}

/** An await of something slow outside of the database. */
export interface SlowAwait {
  readonly place: Place;
  /** For example "an HTTP request". */
  readonly what: string;
  /** What is called, as it is written: `fetch`, `chargeCard`. */
  readonly call: string;
}

/** Where one followed client is held. Places are those of the file in which the client is checked out. */
export interface HeldSpan {
  /** The pool as it is written (`this.db`), or the function that gives the client (`getClient()`). */
  readonly pool: string;
  /** The pool where it is made, in whatever file; undefined when that is not known. */
  readonly declaredPool: DeclaredPool | undefined;
  /** The variable that the client has, if any. */
  readonly client: string | undefined;
  /** The call that checks the client out, up to a callback; for a lent client the call that is given the callback. */
  readonly acquire: Place;
  /** True when somebody else holds the client while a callback of this file runs, and releases it: `withTransaction(async (client) => …)`. */
  readonly isLent: boolean;
  /** Where it goes back to the pool. */
  readonly releases: readonly Place[];
  /** Where control leaves with the client still held, and nobody has it; of several exceptions on one way the first. */
  readonly leaves: readonly Place[];
  /** Where it is handed to somebody who answers for it from then on, the caller included; empty for a lent client. */
  readonly given: readonly Place[];
  /** Where the client is held on some path, in the order of the file; ranges neither touch nor overlap. */
  readonly lines: readonly LineRange[];
  /** In the order of the file. */
  readonly statements: readonly HeldStatement[];
  readonly slowAwaits: readonly SlowAwait[];
  /** Whether a transaction is open over it on some path. */
  readonly transactions: 'none' | 'opened';
  /** False where not all ways of the client are known: what is listed is true, and something may be missing. */
  readonly isComplete: boolean;
}
