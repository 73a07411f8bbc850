import type { CodeKnowledge, DeclaredPool, StatementMatch } from '../activity/code-knowledge.ts';
import { type BuiltQuery, createQueryIndex, type QueryIndex } from './query-index.ts';
import type { CodePlace, CodeStatement } from './code-statement.ts';
import { createStatementIndex, type StatementIndex } from './statement-index.ts';

/** A pool that the code makes, and where. */
export interface CodePool extends CodePlace {
  readonly applicationName: string | null;
  /** Null when the code does not tell it. */
  readonly max: number | null;
}

/** What is known of a workspace's code: plain data. */
export interface CodeFacts {
  readonly statements: readonly CodeStatement[];
  /** Calls that have a library build a query. */
  readonly queries: readonly BuiltQuery[];
  readonly pools: readonly CodePool[];
  /** Whether the folders hold more files than were read. */
  readonly isCut: boolean;
}

/** Where a statement is written, with what is said of it. */
export interface LinkedPlaces {
  readonly match: StatementMatch;
  /** The likeliest first; never empty. */
  readonly places: readonly Omit<CodeStatement, 'pieces' | 'isSent'>[];
}

/** What views ask for, and the places themselves for those who open them. */
export interface LinkedCode extends CodeKnowledge {
  readonly facts: CodeFacts;
  placesOf(query: string): LinkedPlaces | null;
}

/** Texts whose places are remembered: a server shows the same ones look after look. */
const mostRemembered = 2000;

/** A server may be told to show a megabyte of each text; nobody writes such a statement by hand, and hundreds would take seconds to look up. */
const longestSought = 20_000;

export function linkCode(facts: CodeFacts): LinkedCode {
  const index = createStatementIndex(facts.statements);
  const files = filesOf(facts.statements);
  const queries = createQueryIndex(facts.queries);
  const remembered = remembering(
    mostRemembered,
    (query) => find(query, index, files) ?? findBuilt(query, queries),
  );
  const placesOf = (query: string) => (query.length > longestSought ? null : remembered(query));
  return {
    facts,
    pools: declaredPools(facts.pools),
    placesOf,
    placeOf(query) {
      const linked = placesOf(query);
      const [first] = linked?.places ?? [];
      if (linked === null || first === undefined) return null;
      // Where a query is built by one of several calls, the first is no likelier than the others.
      const isOneOf = linked.match === 'table';
      return {
        label: isOneOf ? linked.places.map(labelOf).join(' or ') : labelOf(first),
        match: linked.match,
        others: isOneOf ? 0 : linked.places.length - 1,
        rule: first.findings[0]?.rule ?? null,
      };
    },
  };
}

/** Those of tests and scripts count where no other has their name. One whose size is not told leaves unknown what that of its name is. */
function declaredPools(pools: readonly CodePool[]): readonly DeclaredPool[] {
  const named = (each: CodePool): readonly CodePool[] =>
    pools.filter(({ applicationName }) => applicationName === each.applicationName);
  const counted = pools.filter(
    (pool) => !pool.isAside || named(pool).every(({ isAside }) => isAside),
  );
  return counted.flatMap((pool) => {
    const { applicationName, max } = pool;
    return max === null ||
      (applicationName !== null &&
        counted.some((other) => other.applicationName === applicationName && other.max === null))
      ? []
      : [{ applicationName, max, label: labelOf(pool) }];
  });
}

/** "src/users.ts:42" */
export function labelOf({ path, line }: Pick<CodePlace, 'path' | 'line'>): string {
  return `${path}:${line}`;
}

/** A statement that names its place is believed where there is such a file. */
function find(
  query: string,
  index: StatementIndex,
  files: ReadonlyMap<string, readonly CodeStatement[]>,
): LinkedPlaces | null {
  const commented = commentedPlace(query);
  const told = commented?.place && fileOf(commented.place, files);
  if (told) return { match: 'exact', places: [told] };
  const found = index.find(query) ?? (commented === null ? null : index.find(commented.rest));
  return found && { match: found.match, places: found.statements };
}

/** A query that a library has built shows its table only: nothing is said of the client there. */
function findBuilt(query: string, queries: QueryIndex): LinkedPlaces | null {
  const rest = commentedPlace(query)?.rest ?? query;
  const places = queries.find(rest).map((each) => ({ ...each, findings: [] }));
  return places.length === 0 ? null : { match: 'table', places };
}

function filesOf(
  statements: readonly CodeStatement[],
): ReadonlyMap<string, readonly CodeStatement[]> {
  const files = new Map<string, CodeStatement[]>();
  for (const statement of statements) {
    const known = files.get(statement.path);
    if (known === undefined) files.set(statement.path, [statement]);
    else known.push(statement);
  }
  return files;
}

/** The path may be absolute, of a machine that runs the code elsewhere; then the one file whose path it ends with. */
function fileOf(
  { path, line }: CommentedPlace,
  files: ReadonlyMap<string, readonly CodeStatement[]>,
) {
  const plain = path.replace(/^\.\//u, '');
  const [only, ...more] = files.has(plain)
    ? [plain]
    : [...files.keys()].filter((each) => plain.endsWith(`/${each}`));
  const [first] = only === undefined || more.length > 0 ? [] : (files.get(only) ?? []);
  if (only === undefined || first === undefined) return null;
  const there = files.get(only)?.find((each) => each.line === line);
  return {
    uri: first.uri,
    path: only,
    line,
    column: there?.column ?? 0,
    isAside: first.isAside,
    findings: there?.findings ?? [],
  };
}

function remembering<Answer>(
  most: number,
  find: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    if (known.has(text)) return known.get(text) as Answer;
    if (known.size >= most) known.clear();
    const answer = find(text);
    known.set(text, answer);
    return answer;
  };
}

/** A line that a statement names in a comment. */
interface CommentedPlace {
  readonly path: string;
  readonly line: number;
}

const comment = /^\s*\/\*([^*]{1,2000})\*\/|\/\*([^*]{1,2000})\*\/\s*(?:;\s*)?$/u;
const fileKey = /(?:^|,)\s*file='([^'\\]{1,1000})'/u;

/** The place that a program adds to its statements by sqlcommenter, `file='src%2Fusers.ts%3A42%3A7'` in a comment before or behind them, and the statement without that comment. */
export function commentedPlace(
  sql: string,
): { readonly place: CommentedPlace | null; readonly rest: string } | null {
  const found = comment.exec(sql);
  const pairs = found?.[1] ?? found?.[2];
  if (found === null || pairs === undefined || !/^\s*[\w%.-]+='/u.test(pairs)) return null;
  const rest = (sql.slice(0, found.index) + sql.slice(found.index + found[0].length)).trim();
  return { place: placeIn(fileKey.exec(pairs)?.[1]), rest };
}

/** `src%2Fusers.ts%3A42%3A7` */
function placeIn(value: string | undefined): CommentedPlace | null {
  const [, path, line] = /^(.+?):(\d{1,7})(?::\d{1,7})?$/u.exec(decoded(value ?? '')) ?? [];
  return path === undefined || Number(line) < 1
    ? null
    : { path: path.replaceAll('\\', '/'), line: Number(line) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
