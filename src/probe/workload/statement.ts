import { readSqlTokens } from '../../sql/sql-tokens.ts';
import { refuse as refusal, type Refusal } from '../refusal.ts';
import { adviseOnQuestionMark } from './question-mark.ts';
import { refusedFunctions } from './refused-functions.ts';
import { type FoundNode, namesOf, type SqlNode, type SqlParser, walkSql } from './sql-parser.ts';

export interface CheckedStatement {
  readonly kind: 'accepted';
  readonly text: string;
  /** The largest n of its `$n`; 0 without parameters. */
  readonly parameterCount: number;
  /** It writes or locks rows, and must be rolled back. */
  readonly writes: boolean;
  /** It asks for nothing but what belongs to the server itself, its catalogs and functions; or for nothing at all, as `SELECT 1`. */
  readonly readsOnlyCatalogs: boolean;
}

export type StatementAnswer = CheckedStatement | Refusal;

export const standInNote = `The statement is a stand-in that only uses the CPU of the server: this says how many statements it runs at once, and nothing of your application. For that name a statement of its own, as in --sql 'SELECT * FROM users WHERE id = $1' --param 1..1000, or take the busiest ones that the server knows with --top 5.`;

/** Longer than any statement that somebody wrote, and short enough to be checked at once. */
const longestStatement = 100_000;
/** Beyond this, somebody builds a list of values: an array does the same. */
const mostParameters = 100;

export interface StatementRules {
  readonly parse: SqlParser;
  /** Statements that write are accepted too. */
  readonly allowWrites: boolean;
  /** Qualified names of functions that are called whatever they do. */
  readonly allowFunctions?: readonly string[];
}

/** Accepts one statement that reads, or one that writes where that is allowed, and refuses everything else with the reason. The read-only session is the second guard. */
export function checkStatement(sql: string, rules: StatementRules): StatementAnswer {
  const { parse, allowWrites } = rules;
  const text = sql.trim();
  const bytes = Buffer.byteLength(text);
  if (bytes > longestStatement)
    return refusal(
      `The statement is ${Math.round(bytes / 1000).toLocaleString('en-US')} kB long. The probe takes statements of up to ${longestStatement / 1000} kB: put long lists of values into a table or an array.`,
    );
  // Ends the text for the server, which would take the rest for something else.
  if (text.includes('\0')) return refuse('The statement has a character of code 0.', allowWrites);
  const parsed = parse(text);
  if (parsed.kind === 'problem') return refuseUnread(parsed.sentence, text, allowWrites);
  const sentence =
    checkCount(parsed.statements) ?? checkKind(parsed.statements[0], text, allowWrites);
  return sentence === null
    ? checkParts(text, [...walkSql(parsed.statements)], rules)
    : refuse(sentence, allowWrites);
}

/** What the parser cannot read, with the reason that is nearer than its own where there is one. */
function refuseUnread(sentence: string, text: string, allowWrites: boolean): Refusal {
  const advice = adviseOnQuestionMark(text);
  return advice === null ? refuse(sentence, allowWrites) : refusal(advice);
}

function refuse(sentence: string, allowWrites: boolean): Refusal {
  const rule = allowWrites
    ? 'a single SELECT, VALUES, TABLE, INSERT, UPDATE, DELETE or MERGE, with or without WITH'
    : 'a single statement that only reads: SELECT, VALUES, TABLE or WITH … SELECT';
  return refusal(sentence.endsWith(howToWrite) ? sentence : `${sentence} The probe runs ${rule}.`);
}

function checkCount(statements: readonly SqlNode[]): string | null {
  if (statements.length === 0) return 'The statement is empty.';
  return statements.length > 1 ? 'There are several statements.' : null;
}

const writes = new Map([
  ['InsertStmt', 'INSERT'],
  ['UpdateStmt', 'UPDATE'],
  ['DeleteStmt', 'DELETE'],
  ['MergeStmt', 'MERGE'],
]);

function checkKind(
  statement: SqlNode | undefined,
  text: string,
  allowWrites: boolean,
): string | null {
  const [kind = ''] = Object.keys(statement ?? {});
  if (kind === 'SelectStmt') return null;
  const written = writes.get(kind);
  if (written === undefined) return `The statement starts with ${firstWord(text)}.`;
  return allowWrites ? null : `The statement writes (${written}).${howToWrite}`;
}

const howToWrite = ' With --allow-writes it runs in a transaction that is rolled back.';

function firstWord(text: string): string {
  const answer = readSqlTokens(text);
  const first =
    answer.kind === 'tokens' ? answer.tokens.find(({ kind }) => kind === 'word') : undefined;
  return first?.text.toUpperCase() ?? 'no keyword';
}

function checkParts(
  text: string,
  nodes: readonly FoundNode[],
  rules: StatementRules,
): StatementAnswer {
  for (const node of nodes) {
    const sentence = checkNode(node, rules);
    if (sentence !== null) return refuse(sentence, rules.allowWrites);
  }
  const numbers = nodes.flatMap(({ kind, fields }) =>
    kind === 'ParamRef' ? [typeof fields['number'] === 'number' ? fields['number'] : 0] : [],
  );
  const parameterCount = Math.max(0, ...numbers);
  if (numbers.includes(0))
    return refusal('The statement has a parameter $0: parameters begin with $1.');
  if (parameterCount > mostParameters)
    return refusal(
      `The statement has a parameter $${parameterCount}. The probe fills in up to ${mostParameters}: use an array.`,
    );
  const missing = Array.from({ length: parameterCount }, (_, at) => at + 1).find(
    (number) => !numbers.includes(number),
  );
  if (missing !== undefined)
    return refusal(
      `The statement has a parameter $${parameterCount}, but no $${missing}: number them from $1 without gaps.`,
    );
  return {
    kind: 'accepted',
    text,
    parameterCount,
    writes: rules.allowWrites && nodes.some(isWriting),
    readsOnlyCatalogs: !nodes.some(isWriting) && readsOnlyCatalogs(nodes),
  };
}

function checkNode(node: FoundNode, rules: StatementRules): string | null {
  const { allowWrites } = rules;
  const written = writes.get(node.kind);
  if (written !== undefined && !allowWrites)
    return `The statement writes (${written}).${howToWrite}`;
  if (node.kind === 'intoClause') return 'The statement writes (INTO).';
  if (node.kind === 'LockingClause' && !allowWrites)
    return `The statement locks rows (FOR UPDATE or FOR SHARE).${howToWrite}`;
  return node.kind === 'FuncCall' ? checkCall(node, rules) : null;
}

function checkCall(
  { fields }: FoundNode,
  { allowWrites, allowFunctions = [] }: StatementRules,
): string | null {
  const qualified = namesOf(fields['funcname']);
  const name = qualified.at(-1) ?? '';
  // Which schema an unqualified name leads to is known to the server alone, and judged there.
  if (
    allowFunctions.some(
      (allowed) =>
        allowed === qualified.join('.') || (qualified.length === 1 && allowed.endsWith(`.${name}`)),
    )
  )
    return null;
  const isIt = (names: RegExp) => names.test(name) || names.test(qualified.join('.'));
  const refused = refusedFunctions.find(
    ({ names, isWrite = false }) => isIt(names) && !(isWrite && allowWrites),
  );
  return refused === undefined ? null : `The statement calls ${name}, which ${refused.because}.`;
}

function isWriting({ kind, fields }: FoundNode): boolean {
  return (
    writes.has(kind) ||
    kind === 'LockingClause' ||
    (kind === 'FuncCall' && namesOf(fields['funcname']).at(-1) === 'nextval')
  );
}

function readsOnlyCatalogs(nodes: readonly FoundNode[]): boolean {
  const named = new Set(
    nodes.flatMap(({ kind, fields }) => (kind === 'CommonTableExpr' ? [fields['ctename']] : [])),
  );
  const tables = nodes.filter(
    ({ kind, fields }) =>
      kind === 'RangeVar' && (fields['schemaname'] !== undefined || !named.has(fields['relname'])),
  );
  const isCatalog = ({ fields: { schemaname, relname } }: FoundNode) =>
    schemaname === 'pg_catalog' ||
    schemaname === 'information_schema' ||
    (typeof relname === 'string' && relname.startsWith('pg_'));
  const calls = nodes.flatMap(({ kind, fields }) =>
    kind === 'FuncCall' ? [namesOf(fields['funcname'])] : [],
  );
  const asksServer =
    calls.some((names) => names.at(-1)?.startsWith('pg_')) ||
    calls.every(([schema]) => schema === 'pg_catalog');
  return tables.every(isCatalog) && (tables.length > 0 || asksServer);
}
