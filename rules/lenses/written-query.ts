import type { Verb } from '../model/built.ts';
import type { Place } from '../syntax/place.ts';

/** A call that has a library build a query. */
export interface WrittenQuery {
  readonly place: Place;
  /** The statements that it may send. */
  readonly verbs: readonly Verb[];
  /** Its table, after its schema where that is told; null where it may be any. */
  readonly table: string | null;
  /** Whether the library writes keywords in capitals. */
  readonly inCapitals: boolean;
  /** Whether it is known to speak to that library; else its name and its table only read so. */
  readonly isSure: boolean;
}
