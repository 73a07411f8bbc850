import type { ColumnName } from './column-name.ts';
import { namesOf, type SqlNode } from './sql-parser.ts';

/** What a statement compares a parameter with. */
export interface ComparedColumn {
  /** Where the column may be: the tables of one FROM together, the innermost first. Exactly one table of the first that knows the column has it. */
  readonly scopes: readonly (readonly ColumnName[])[];
  /** The parameter is an array of which each element is compared. */
  readonly isList: boolean;
}

/** Tables of one FROM by the name under which columns are qualified; null for anything else, such as a subquery. */
type Scope = ReadonlyMap<string, Pick<ColumnName, 'schema' | 'table'> | null>;

type Fields = Readonly<Record<string, unknown>>;

/** By the number of the parameter: the column that the statement compares it with, or sets to it. Those of patterns and expressions are left out, as are those that are compared with several columns. */
export function findParameterColumns(statement: SqlNode): ReadonlyMap<number, ComparedColumn> {
  const found = new Map<number, Map<string, ComparedColumn>>();
  for (const { number, ...compared } of comparisonsIn(statement)) {
    const key = keyOf(compared);
    found.set(number, (found.get(number) ?? new Map<string, ComparedColumn>()).set(key, compared));
  }
  return new Map(
    [...found].flatMap(([number, columns]) => {
      const [only, ...more] = columns.values();
      return only === undefined || more.length > 0 ? [] : [[number, only] as const];
    }),
  );
}

function keyOf({ scopes, isList }: ComparedColumn): string {
  const names = scopes.map((tables) =>
    tables
      .map(({ schema, table, column }) => [schema ?? '', table, column].join('\0'))
      .join('\u0001'),
  );
  return [String(isList), ...names].join('\u0002');
}

interface Comparison extends ComparedColumn {
  readonly number: number;
}

/** Takes no stack, as `walkSql`: depth does not matter. */
function* comparisonsIn(tree: unknown): Generator<Comparison> {
  const open: {
    readonly value: unknown;
    readonly scopes: readonly Scope[];
    readonly ctes: ReadonlySet<string>;
  }[] = [{ value: tree, scopes: [], ctes: new Set() }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, scopes, ctes } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [kind, child] of Object.entries(value)) {
      if (typeof child !== 'object' || child === null) continue;
      const fields = child as Fields;
      const named = new Set([...ctes, ...namedWith(fields)]);
      const inner =
        statements.has(kind) || isSelect(fields) ? [scopeOf(fields, named), ...scopes] : scopes;
      yield* comparedBy(kind, fields, inner);
      open.push({ value: child, scopes: inner, ctes: named });
    }
  }
}

const statements: ReadonlySet<string> = new Set([
  'SelectStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
]);

/** The sides of a UNION stand in the tree without their kind. */
function isSelect(fields: Fields): boolean {
  return 'targetList' in fields && 'fromClause' in fields;
}

function namedWith({ withClause }: Fields): readonly string[] {
  return listOf(fieldsOf(withClause)['ctes']).flatMap((each) => {
    const { ctename } = fieldsOf(fieldsOf(each)['CommonTableExpr']);
    return typeof ctename === 'string' ? [ctename] : [];
  });
}

function scopeOf(fields: Fields, ctes: ReadonlySet<string>): Scope {
  const tables = new Map<string, Pick<ColumnName, 'schema' | 'table'> | null>();
  const add = (item: unknown): void => {
    const [[kind, child] = ['', {}]] = Object.entries(fieldsOf(item));
    const part = fieldsOf(child);
    if (kind === 'RangeVar') addTable(part);
    else if (kind === 'JoinExpr') {
      add(part['larg']);
      add(part['rarg']);
    } else tables.set(nameOf(part['alias']) ?? `\0${tables.size}`, null);
  };
  const addTable = (part: Fields): void => {
    const { relname, schemaname, alias } = part;
    if (typeof relname !== 'string') return;
    const schema = typeof schemaname === 'string' ? schemaname : null;
    const isOwn = schema === null && ctes.has(relname);
    tables.set(nameOf(alias) ?? relname, isOwn ? null : { schema, table: relname });
  };
  // The table that is written to stands without its kind.
  if (fields['relation'] !== undefined) addTable(fieldsOf(fields['relation']));
  for (const key of ['fromClause', 'usingClause'] as const) listOf(fields[key]).forEach(add);
  if (fields['sourceRelation'] !== undefined) add(fields['sourceRelation']);
  return tables;
}

function nameOf(alias: unknown): string | null {
  const { aliasname } = fieldsOf(alias);
  return typeof aliasname === 'string' ? aliasname : null;
}

/** Kinds of `A_Expr` of which one side is a value like the other. */
const plainKinds: ReadonlySet<unknown> = new Set([
  'AEXPR_OP',
  'AEXPR_DISTINCT',
  'AEXPR_NOT_DISTINCT',
  'AEXPR_IN',
  'AEXPR_BETWEEN',
  'AEXPR_NOT_BETWEEN',
  'AEXPR_BETWEEN_SYM',
  'AEXPR_NOT_BETWEEN_SYM',
]);
const listKinds: ReadonlySet<unknown> = new Set(['AEXPR_OP_ANY', 'AEXPR_OP_ALL']);
const comparing: ReadonlySet<string> = new Set(['=', '<>', '!=', '<', '<=', '>', '>=', 'BETWEEN']);

function* comparedBy(
  kind: string,
  fields: Fields,
  scopes: readonly Scope[],
): Generator<Comparison> {
  if (kind === 'A_Expr') yield* comparedIn(fields, scopes);
  if (kind === 'UpdateStmt') yield* setBy(fields);
}

function* comparedIn(fields: Fields, scopes: readonly Scope[]): Generator<Comparison> {
  const { kind, name, lexpr, rexpr } = fields;
  const [operator = '', ...qualified] = namesOf(name).toReversed();
  const isComparing = comparing.has(operator.replace(/^(?:NOT )?BETWEEN.*$/, 'BETWEEN'));
  if (!isComparing || qualified.some((schema) => schema !== 'pg_catalog')) return;
  if (listKinds.has(kind)) yield* pair(lexpr, rexpr, scopes, true);
  if (!plainKinds.has(kind)) return;
  const [left, right] = [partsOf(lexpr), partsOf(rexpr)];
  const isRow = left.length > 1 && left.length === right.length;
  if (isRow) for (const [at, each] of left.entries()) yield* bothWays(each, right[at], scopes);
  else for (const one of left) for (const other of right) yield* bothWays(one, other, scopes);
}

/** The items of a list, the fields of a row, or the one that it is. */
function partsOf(expression: unknown): readonly unknown[] {
  const { List: list, RowExpr: row } = fieldsOf(expression);
  if (list !== undefined) return listOf(fieldsOf(list)['items']);
  return row === undefined ? [expression] : listOf(fieldsOf(row)['args']);
}

function* bothWays(one: unknown, other: unknown, scopes: readonly Scope[]): Generator<Comparison> {
  yield* pair(one, other, scopes, false);
  yield* pair(other, one, scopes, false);
}

function* pair(
  column: unknown,
  parameter: unknown,
  scopes: readonly Scope[],
  isList: boolean,
): Generator<Comparison> {
  const number = parameterAt(parameter);
  const places = number === null ? [] : columnAt(column, scopes);
  if (number !== null && places.length > 0) yield { number, scopes: places, isList };
}

/** `SET city = $1` */
function* setBy({ relation, targetList }: Fields): Generator<Comparison> {
  const { relname, schemaname } = fieldsOf(relation);
  if (typeof relname !== 'string') return;
  const schema = typeof schemaname === 'string' ? schemaname : null;
  for (const each of listOf(targetList)) {
    const { name, val, indirection } = fieldsOf(fieldsOf(each)['ResTarget']);
    const number = parameterAt(val);
    if (number !== null && typeof name === 'string' && indirection === undefined)
      yield { number, scopes: [[{ schema, table: relname, column: name }]], isList: false };
  }
}

/** A cast says of which type the parameter is, and leaves its value as it is. */
function parameterAt(expression: unknown): number | null {
  const { ParamRef: parameter, TypeCast: cast } = fieldsOf(expression);
  if (cast !== undefined) return parameterAt(fieldsOf(cast)['arg']);
  const { number } = fieldsOf(parameter);
  return typeof number === 'number' ? number : null;
}

function columnAt(
  expression: unknown,
  scopes: readonly Scope[],
): readonly (readonly ColumnName[])[] {
  const names = namesOf(fieldsOf(fieldsOf(expression)['ColumnRef'])['fields']);
  const [column, qualifier, schema] = names.toReversed();
  if (column === undefined || names.length > 3) return [];
  if (qualifier === undefined)
    return scopes
      .map((scope) =>
        [...scope.values()].flatMap((table) => (table === null ? [] : [{ ...table, column }])),
      )
      .filter((tables) => tables.length > 0);
  const scope = scopes.find((each) => each.has(qualifier));
  const table = scope?.get(qualifier) ?? null;
  const isIt = table !== null && (schema === undefined || table.schema === schema);
  return isIt ? [[{ ...table, column }]] : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
