import * as v from 'valibot';
import { flag, number, text, type OutputOf } from '../schema/fields.ts';
import type { Asker, QueryAnswer } from './session.ts';
import { calledFunctionsSql } from './sql/called-functions.sql.ts';

/** `pg_proc.oid` and the like. */
export type Oid = number;

/** OIDs below belong to PostgreSQL itself (access/transam.h, FirstNormalObjectId). */
export const firstOwnOid: Oid = 16_384;

const CalledFunction = v.object({
  oid: number,
  schema: text,
  name: text,
  /** For example `integer, text`. */
  arguments: text,
  /** `pg_language.lanname`: "sql", "plpgsql", "c", "internal", … */
  language: text,
  /** Function, procedure, aggregate, window function. */
  kind: v.picklist(['f', 'p', 'a', 'w']),
  /** Immutable, stable, volatile: what its author claims. */
  volatility: v.picklist(['i', 's', 'v']),
  /** SECURITY DEFINER: runs with the rights of its owner. */
  isDefiner: flag,
  /** The extension that brought it; null for none. */
  extension: v.nullable(text),
  /** Its body where that is text, at most 100,000 characters. */
  source: v.nullable(text),
  /** Its body in standard SQL, as node trees. */
  tree: v.nullable(text),
});
export type CalledFunction = OutputOf<typeof CalledFunction>;

/** Which functions to read, by OIDs. */
export interface CallReferences {
  readonly functions: readonly Oid[];
  readonly operators: readonly Oid[];
  /** Relations whose triggers run. */
  readonly written: readonly Oid[];
}

export function readCalledFunctions(
  session: Asker,
  { functions, operators, written }: CallReferences,
): Promise<QueryAnswer<CalledFunction>> {
  const values = [functions, operators, written];
  return session.query({ text: calledFunctionsSql, values }, CalledFunction);
}
