import { type FoundNode, type SqlNode, walkSql } from './sql-parser.ts';

/** A table as a statement names it, and what the statement needs to be granted on it. */
export interface NamedTable {
  /** Null where the search path decides. */
  readonly schema: string | null;
  readonly table: string;
  readonly privileges: readonly TablePrivilege[];
}

const privileges = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
export type TablePrivilege = (typeof privileges)[number];

/** By the kind of statement, for the table that it writes to. */
const written: ReadonlyMap<string, readonly TablePrivilege[]> = new Map([
  ['InsertStmt', ['SELECT', 'INSERT']],
  ['UpdateStmt', ['SELECT', 'UPDATE']],
  ['DeleteStmt', ['SELECT', 'DELETE']],
  ['MergeStmt', ['SELECT', 'INSERT', 'UPDATE', 'DELETE']],
]);

/** The tables and views that statements name, each once; neither catalogs nor the statements' own WITH names. */
export function listTables(statements: readonly SqlNode[]): readonly NamedTable[] {
  const found = new Map<
    string,
    { schema: string | null; table: string; needs: Set<TablePrivilege> }
  >();
  for (const { schema, table, needs } of statements.flatMap((statement) => [
    ...readNodes([...walkSql(statement)]),
  ])) {
    const key = `${schema ?? ''}\0${table}`;
    const known = found.get(key) ?? { schema, table, needs: new Set() };
    for (const privilege of needs) known.needs.add(privilege);
    found.set(key, known);
  }
  const inOrder = (needs: ReadonlySet<TablePrivilege>) =>
    privileges.filter((each) => needs.has(each));
  return [...found.values()].map(({ needs, ...name }) => ({ ...name, privileges: inOrder(needs) }));
}

type Named = Pick<NamedTable, 'schema' | 'table'> & { readonly needs: readonly TablePrivilege[] };

function* readNodes(nodes: readonly FoundNode[]): Generator<Named> {
  const own = new Set(
    nodes.flatMap(({ kind, fields }) => (kind === 'CommonTableExpr' ? [fields['ctename']] : [])),
  );
  const isLocked = nodes.some(({ kind }) => kind === 'LockingClause');
  const read: readonly TablePrivilege[] = isLocked ? ['SELECT', 'UPDATE'] : ['SELECT'];
  for (const { kind, fields } of nodes) {
    const isRead = kind === 'RangeVar';
    const named = isRead
      ? nameIn(fields, own, read)
      : nameIn(fields['relation'], new Set(), written.get(kind) ?? []);
    if (named !== null && named.needs.length > 0) yield named;
  }
}

function nameIn(
  range: unknown,
  own: ReadonlySet<unknown>,
  needs: readonly TablePrivilege[],
): Named | null {
  if (typeof range !== 'object' || range === null) return null;
  const { relname, schemaname } = range as Readonly<Record<string, unknown>>;
  if (typeof relname !== 'string') return null;
  const schema = typeof schemaname === 'string' ? schemaname : null;
  if (schema === null && own.has(relname)) return null;
  return isCatalog(schema, relname) ? null : { schema, table: relname, needs };
}

function isCatalog(schema: string | null, table: string): boolean {
  return schema === null
    ? table.startsWith('pg_')
    : schema === 'pg_catalog' || schema === 'information_schema';
}
