import type { Verb } from '../../rules/model/built.ts';
import type { CodePlace } from './code-statement.ts';

/** A call that makes a library build a query. Plain data. */
export interface BuiltQuery extends CodePlace {
  /** The statements that it may send. */
  readonly verbs: readonly Verb[];
  /** Its table, after its schema where that is told; null where it may be any. */
  readonly table: string | null;
  /** Whether the library writes keywords in capitals. */
  readonly inCapitals: boolean;
  /** Whether it is known to speak to that library. */
  readonly isSure: boolean;
}
