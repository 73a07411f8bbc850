import type { Checkout } from '../client/checkout.ts';
import type { Place } from './finding.ts';
import { placeOf } from './mention.ts';
import type { Scene } from './scene.ts';

/** Lines of a file, the first is 1; both ends belong to it. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** A query that is sent over a held client. */
export interface HeldStatement {
  readonly place: Place;
  /** How its SQL begins, for example "UPDATE accounts"; undefined when the text is not known. */
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
  /** The variable that the client has, if any. */
  readonly client: string | undefined;
  /** The call that checks the client out; for a lent client the call that is given the callback. */
  readonly acquire: Place;
  /** True when somebody else holds the client while a callback of this file runs, and releases it: `withTransaction(async (client) => …)`. */
  readonly isLent: boolean;
  /** Where it goes back to the pool. */
  readonly releases: readonly Place[];
  /** Where control leaves with the client still held, and nobody has it: leaks. */
  readonly leaves: readonly Place[];
  /** Where it is handed to somebody who answers for it from then on, the caller included. */
  readonly given: readonly Place[];
  /** Where the client is held on some path, in the order of the file; ranges neither touch nor overlap. */
  readonly lines: readonly LineRange[];
  /** In the order of the file. */
  readonly statements: readonly HeldStatement[];
  readonly slowAwaits: readonly SlowAwait[];
  /** Whether a transaction is begun over it here. */
  readonly transactions: 'none' | 'opened';
  /** False where not all ways of the client are known: what is listed is true, and something may be missing. */
  readonly isComplete: boolean;
}

/** The spans of all clients that were followed, in the order of the file. */
export function findHeldSpans({ checkouts }: Scene): readonly HeldSpan[] {
  return checkouts.map(spanOf).sort((a, b) => a.acquire.start.line - b.acquire.start.line || a.acquire.start.column - b.acquire.start.column);
}

function spanOf({ acquisition: { call, poolText, style } }: Checkout): HeldSpan {
  return { pool: poolText, client: undefined, acquire: placeOf(call), isLent: style === 'lent', releases: [], leaves: [], given: [], lines: [], statements: [], slowAwaits: [], transactions: 'none', isComplete: false };
}
