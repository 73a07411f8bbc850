import type { Place } from '../syntax/place.ts';

/** A text of SQL that a file writes. */
export interface WrittenStatement {
  /** The `query` of the call that sends it, or where the text begins. */
  readonly place: Place;
  /** The text around its holes, in order: one piece for a constant, both ends included, for each hole one more. */
  readonly pieces: readonly string[];
  /** Whether a call in this file sends it; else it only reads like SQL, and who sends it is not known. */
  readonly isSent: boolean;
}
