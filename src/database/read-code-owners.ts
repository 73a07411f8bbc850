import * as v from 'valibot';
import { flag, number, text } from '../schema/fields.ts';
import type { Asker, QueryAnswer } from './session.ts';
import { codeOwnersSql } from './sql/code-owners.sql.ts';

/** A role whose code a statement in the database may run: what it owns there, counted. Or a foreign server, with its tables. */
const CodeOwner = v.object({
  kind: v.picklist(['role', 'foreign server']),
  /** Hostile, as every string of the database. */
  name: text,
  ownsDatabase: flag,
  /** Was granted CREATE on a schema or on the database, or TRIGGER on a table where statements write; or can connect where PUBLIC was. */
  mayCreate: flag,
  functions: number,
  /** Materialized ones too. */
  views: number,
  /** Partitioned and foreign ones too: their defaults, triggers, policies and indexes carry code. */
  tables: number,
  types: number,
  operators: number,
  /** All of these together and every other kind: schemas, extensions, casts' types, operator classes, … */
  objects: number,
});
export type CodeOwner = Readonly<v.InferOutput<typeof CodeOwner>>;

/** Whose code a statement may run, here and on foreign servers; superusers and the role that logged in left out. */
export function readCodeOwners(
  session: Asker,
  isWriting: boolean,
): Promise<QueryAnswer<CodeOwner>> {
  return session.query({ text: codeOwnersSql, values: [isWriting] }, CodeOwner);
}
