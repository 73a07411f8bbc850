import type { Verb } from '../../rules/model/built.ts';
import { type SqlToken, sqlTokens } from '../../rules/model/sql-tokens.ts';
import type { CodePlace } from './code-statement.ts';

/** What a statement that a library has built says of where it comes from. */
export interface Built {
  readonly verb: Verb;
  readonly table: string;
  readonly inCapitals: boolean;
}

export interface QueryIndex {
  /** The calls that may have built a text as the server shows it: one, or a few of which any may have. Empty where there is none, or where too many may have. */
  find(seen: string): readonly BuiltQuery[];
}

/** More candidates than these tell nothing. */
const most = 3;

export function createQueryIndex(all: readonly BuiltQuery[]): QueryIndex {
  return {
    find(seen) {
      const built = builtQuery(seen);
      if (built === null) return [];
      const fitting = all.filter((query) => mayBuild(query, built));
      const isTold = fitting.some(
        ({ table, isSure, isAside }) => table !== null && isSure && !isAside,
      );
      const places = atPlaces(fitting.filter(({ isAside }) => !isTold || !isAside));
      const isKnown = fitting.some(({ table, isSure }) => table !== null && isSure);
      return isKnown && places.length <= most ? places : [];
    },
  };
}

function mayBuild(query: BuiltQuery, { verb, table, inCapitals }: Built): boolean {
  return (
    query.inCapitals === inCapitals &&
    query.verbs.includes(verb) &&
    (query.table === null || isSame(query.table, table))
  );
}

/** A schema counts where both name one. */
function isSame(one: string, other: string): boolean {
  const [shorter, longer] = one.includes('.') ? [other, one] : [one, other];
  return shorter === longer || (!shorter.includes('.') && longer.endsWith(`.${shorter}`));
}

/** Those that are sure and name the table first, in the order of their files. */
function atPlaces(queries: readonly BuiltQuery[]): readonly BuiltQuery[] {
  const rank = ({ table, isSure }: BuiltQuery): number => Number(table === null) + Number(!isSure);
  const inOrder = [...queries].sort(
    (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
  return [...new Map(inOrder.map((each) => [`${each.uri} ${each.line}`, each])).values()];
}

const firstWord =
  /^\s*(?:select|insert|update|delete|truncate|SELECT|INSERT|UPDATE|DELETE|TRUNCATE)\b/u;

/** What a text that a library has built does, and to which table: libraries quote all names. Null for what somebody may have written by hand. */
export function builtQuery(seen: string): Built | null {
  const word = firstWord.exec(seen)?.[0].trim();
  if (word === undefined) return null;
  const tokens = sqlTokens(seen);
  const verb = word.toLowerCase() as Verb;
  const table = tableAt(tokens, startOfTable(tokens, verb));
  return table === null ? null : { verb, table, inCapitals: word !== verb };
}

/** Where the name of the table stands: behind INTO, UPDATE, TRUNCATE, or the FROM that is in no brackets. */
function startOfTable(tokens: readonly SqlToken[], verb: Verb): number {
  if (verb === 'update') return 1;
  if (verb === 'truncate') return isWord(tokens[1], 'TABLE') ? 2 : 1;
  if (verb === 'insert') return isWord(tokens[1], 'INTO') ? 2 : -1;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'mark') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (depth === 0 && isWord(token, 'FROM')) return index + 1;
  }
  return -1;
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word;
}

/** `"users"`, `"public"."users"` */
function tableAt(tokens: readonly SqlToken[], start: number): string | null {
  const first = tokens[start];
  if (start < 0 || first?.kind !== 'quoted') return null;
  const [dot, second] = [tokens[start + 1], tokens[start + 2]];
  const isQualified = dot?.kind === 'mark' && dot.text === '.' && second?.kind === 'quoted';
  return isQualified ? `${first.text}.${second.text}` : first.text;
}

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
