import type { DatabaseFailure } from '../../database/failure-row.ts';
import type { Asker } from '../../database/probe-server.ts';
import {
  readFunctions,
  readNamedObjects,
  readOperators,
  readRelations,
  readTypes,
  type CallEnvironment,
  type NamedObject,
  type Oid,
  type RelationPart,
  type TypeFacts,
} from '../../database/read-call-facts.ts';
import type { QueryAnswer } from '../../database/session.ts';
import {
  toKnownFunction,
  type CallBook,
  type KnownFunction,
  type MissingFacts,
} from './call-book.ts';

/** A book that is filled as it is read. */
export interface CallReader {
  readonly book: CallBook;
  /** Reads what is missing. Null when all of it could be asked for. */
  readonly fill: (missing: MissingFacts) => Promise<DatabaseFailure | null>;
}

/** Whether a book lacks nothing. */
export function isWhole(missing: MissingFacts): boolean {
  return Object.values(missing).every(({ size }) => size === 0);
}

export function createCallReader(session: Asker, environment: CallEnvironment): CallReader {
  const functions = new Map<Oid, KnownFunction | null>();
  const operators = new Map<Oid, Oid | null>();
  const types = new Map<Oid, TypeFacts | null>();
  const relations = new Map<Oid, readonly RelationPart[]>();
  const names = new Map<string, readonly NamedObject[]>();
  const fills: readonly ((missing: MissingFacts) => Promise<DatabaseFailure | null>)[] = [
    (missing) =>
      fillBy(
        missing.functions,
        (oids) => readFunctions(session, oids),
        (row) => row.oid,
        (oid, [row]) => functions.set(oid, row === undefined ? null : toKnownFunction(row)),
      ),
    (missing) =>
      fillBy(
        missing.operators,
        (oids) => readOperators(session, oids),
        (row) => row.oid,
        (oid, [row]) => operators.set(oid, row?.function ?? null),
      ),
    (missing) =>
      fillBy(
        missing.types,
        (oids) => readTypes(session, oids),
        (row) => row.oid,
        (oid, [row]) => types.set(oid, row ?? null),
      ),
    (missing) =>
      fillBy(
        missing.relations,
        (oids) => readRelations(session, oids),
        (row) => row.oid,
        (oid, rows) => relations.set(oid, rows),
      ),
    (missing) =>
      fillBy(
        missing.names,
        (wanted) => readNamedObjects(session, wanted),
        (row) => row.name,
        (name, rows) => names.set(name, rows),
      ),
  ];
  const fill: CallReader['fill'] = async (missing) => {
    for (const each of fills) {
      const failure = await each(missing);
      if (failure !== null) return failure;
    }
    return null;
  };
  return { book: { environment, functions, operators, types, relations, names }, fill };
}

/** Asks for all keys at once, and keeps the rows of each, none included. */
async function fillBy<Key, Row>(
  keys: ReadonlySet<Key>,
  ask: (keys: readonly Key[]) => Promise<QueryAnswer<Row>>,
  keyOf: (row: Row) => Key,
  keep: (key: Key, rows: readonly Row[]) => unknown,
): Promise<DatabaseFailure | null> {
  if (keys.size === 0) return null;
  const answer = await ask([...keys]);
  if (answer.kind === 'failed') return answer.failure;
  const rows = new Map<Key, Row[]>([...keys].map((key) => [key, []]));
  for (const row of answer.rows) rows.get(keyOf(row))?.push(row);
  for (const [key, found] of rows) keep(key, found);
  return null;
}
