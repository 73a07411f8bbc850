import { namesOf, type SqlNode } from '../../src/probe/workload/sql-parser.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What statements leave to `search_path`, in words, such as "function count" or "operator =". Empty when an object that
 * somebody put into a schema of theirs can take nobody's place.
 */
export function findUnqualified(parsedStatements: readonly SqlNode[]): string[] {
  return visit(parsedStatements, new Set()).flatMap(({ fields, tables }) =>
    checks.flatMap(([mark, check]) => (mark in fields ? check(fields, tables) : [])),
  );
}

/** Every schema that statements name in front of a relation, function, operator, type or collation. */
export function findSchemas(parsedStatements: readonly SqlNode[]): string[] {
  const names = visit(parsedStatements, new Set()).flatMap(({ fields }) => [
    ...('relname' in fields && typeof fields['schemaname'] === 'string'
      ? [fields['schemaname']]
      : []),
    ...qualifiedNames.flatMap((field) => namesOf(fields[field]).slice(0, -1)),
  ]);
  return [...new Set(names)];
}

interface Visited {
  readonly fields: Fields;
  /** Names of the common tables that are in sight. */
  readonly tables: ReadonlySet<string>;
}

/** Every object of a tree; the kind of a node is no object of its own. */
function visit(value: unknown, tables: ReadonlySet<string>): Visited[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => visit(item, tables));
  const { withClause, ...rest } = value as Fields & { readonly withClause?: WithClause };
  const { inside, visited } = visitCommonTables(withClause, tables);
  const below = Object.values(rest).flatMap((child) => visit(child, inside));
  return [{ fields: rest, tables: inside }, ...visited, ...below];
}

interface WithClause {
  readonly recursive?: boolean;
  readonly ctes: readonly { readonly CommonTableExpr: Fields & { readonly ctename: string } }[];
}

/** A common table sees those before it, and itself in WITH RECURSIVE, where all see each other. */
function visitCommonTables(clause: WithClause | undefined, outside: ReadonlySet<string>) {
  const ctes = clause?.ctes.map(({ CommonTableExpr }) => CommonTableExpr) ?? [];
  const inside = new Set([...outside, ...ctes.map(({ ctename }) => ctename)]);
  const seenBy = (index: number) =>
    clause?.recursive === true
      ? inside
      : new Set([...outside, ...ctes.slice(0, index).map(({ ctename }) => ctename)]);
  return { inside, visited: ctes.flatMap((cte, index) => visit(cte, seenBy(index))) };
}

type Check = readonly [
  mark: string,
  check: (fields: Fields, tables: Visited['tables']) => readonly string[],
];

const qualifiedNames = [
  'funcname',
  'name',
  'operName',
  'useOp',
  'names',
  'collname',
  'method',
] as const;

function named(mark: (typeof qualifiedNames)[number], what: string): Check {
  return [mark, (fields) => unqualified(what, namesOf(fields[mark]))];
}

function unqualified(what: string, names: readonly string[]): readonly string[] {
  return names.length === 1 ? [`${what} ${names[0] ?? ''}`] : [];
}

/** By the field that only nodes of that kind have, in the JSON of libpg_query. */
const checks: readonly Check[] = [
  named('funcname', 'function'),
  named('name', 'operator'),
  named('operName', 'operator'),
  named('useOp', 'operator'),
  named('names', 'type'),
  named('collname', 'collation'),
  named('method', 'sampling method'),
  [
    'kind',
    ({ kind }) =>
      syntax.flatMap(([start, words]) => (String(kind).startsWith(start) ? [words] : [])),
  ],
  ['subLinkType', (fields) => (isIn(fields) ? ['IN (SELECT …)'] : [])],
  ['relname', (fields, tables) => checkRelation(fields, tables)],
  ['usingClause', () => ['JOIN … USING']],
  ['isNatural', () => ['NATURAL JOIN']],
  ['CaseExpr', ({ CaseExpr }) => ('arg' in (CaseExpr as Fields) ? ['CASE x WHEN'] : [])],
  // A keyword since PostgreSQL 17, and looked up before: the tree of a newer parser shows no difference.
  ['names', ({ names }) => (namesOf(names).at(-1) === 'json' ? ['type json, write jsonb'] : [])],
  ['typeName', ({ typeName, arg }) => checkText(namesOf((typeName as Fields)['names']), [arg])],
  ['funcname', ({ funcname, args }) => checkText(namesOf(funcname), args)],
];

/** Syntax whose operator is always looked up by path. */
const syntax: readonly (readonly [kind: string, words: string])[] = [
  ['AEXPR_IN', 'IN'],
  ['AEXPR_LIKE', 'LIKE'],
  ['AEXPR_ILIKE', 'ILIKE'],
  ['AEXPR_SIMILAR', 'SIMILAR TO'],
  ['AEXPR_BETWEEN', 'BETWEEN'],
  ['AEXPR_NOT_BETWEEN', 'NOT BETWEEN'],
  ['AEXPR_DISTINCT', 'IS DISTINCT FROM'],
  ['AEXPR_NOT_DISTINCT', 'IS NOT DISTINCT FROM'],
  ['AEXPR_NULLIF', 'NULLIF'],
];

function isIn({ subLinkType, operName }: Fields): boolean {
  return subLinkType === 'ANY_SUBLINK' && operName === undefined;
}

function checkRelation(
  { relname, schemaname }: Fields,
  tables: Visited['tables'],
): readonly string[] {
  return schemaname === undefined && !tables.has(String(relname))
    ? [`relation ${String(relname)}`]
    : [];
}

/** Types and functions that look a name up when the statement runs. */
const lookingUp =
  /^(?:to_)?reg(?:class|proc|procedure|oper|operator|type|collation|config|dictionary)$/;

interface TextConstant {
  readonly A_Const?: { readonly sval?: { readonly sval?: string } };
}

function checkText(names: readonly string[], args: unknown): readonly string[] {
  if (!lookingUp.test(names.at(-1) ?? '') || !Array.isArray(args)) return [];
  const texts = args.flatMap((arg: TextConstant | null) => arg?.A_Const?.sval?.sval ?? []);
  return texts
    .filter((text) => !/^(?:"(?:[^"]|"")+"|[\w$]+)\./.test(text))
    .map((text) => `name '${text}'`);
}
