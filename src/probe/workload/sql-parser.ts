import type * as libraryType from 'libpg-query';
import { toShortText } from '../../activity/plain-text.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** A node of PostgreSQL's parse tree in JSON, by its kind: `{ SelectStmt: { … } }`. */
export type SqlNode = Readonly<Record<string, unknown>>;

export type ParsedSql =
  | {
      readonly kind: 'tree';
      /** One a statement; empty ones are left out. */ readonly statements: readonly SqlNode[];
    }
  | { readonly kind: 'problem'; /** A whole sentence. */ readonly sentence: string };

/** Reads SQL as PostgreSQL 18 does, with `standard_conforming_strings` on. Never throws. */
export type SqlParser = (sql: string) => ParsedSql;

type ParserAnswer = { readonly kind: 'parser'; readonly parse: SqlParser } | Refusal;

/** Loads PostgreSQL's own parser, whose WebAssembly lies beside the bundle that asks. Takes some 20 ms, so it is loaded by whoever needs it. */
export async function loadSqlParser(): Promise<ParserAnswer> {
  try {
    const library = await import('libpg-query');
    await library.loadModule();
    return { kind: 'parser', parse: (sql) => parseWith(library, sql) };
  } catch {
    return refuse(
      'The SQL parser of Poolguard could not be loaded (libpg-query.wasm), and without it no statement is run. Install Poolguard again.',
    );
  }
}

type Library = Pick<typeof libraryType, 'parseSync' | 'hasSqlDetails'>;

function parseWith({ parseSync, hasSqlDetails }: Library, sql: string): ParsedSql {
  // The library takes no empty text, and the parser reads one more blank as nothing.
  try {
    const { stmts = [] } = parseSync(`${sql} `) as {
      readonly stmts?: readonly { readonly stmt?: SqlNode }[];
    };
    return {
      kind: 'tree',
      statements: stmts.flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt])),
    };
  } catch (error) {
    if (!hasSqlDetails(error)) return { kind: 'problem', sentence: tooDeep };
    return {
      kind: 'problem',
      sentence: describe(error.message, error.sqlDetails?.cursorPosition ?? 0, sql),
    };
  }
}

/** The parser ran out of its own stack or that of JavaScript. */
const tooDeep = 'The statement is nested too deeply to be checked.';

/** What the lexer of PostgreSQL says of something that never ends (scan.l), in our words. */
const open: readonly (readonly [message: RegExp, sentence: string])[] = [
  [/^unterminated quoted string/, 'The statement has a string that is never closed'],
  [/^unterminated quoted identifier/, 'The statement has a double quote that is never closed'],
  [
    /^unterminated dollar-quoted string/,
    'The statement has a dollar-quoted string that is never closed',
  ],
  [/^unterminated \/\* comment/, 'The statement has a comment that is never closed'],
  [
    /^unterminated (?:bit|hexadecimal) string/,
    'The statement has a bit string that is never closed',
  ],
];

function describe(message: string, position: number, sql: string): string {
  if (message.startsWith('memory exhausted')) return tooDeep;
  const known = open.find(([pattern]) => pattern.test(message))?.[1];
  const place = placeOf(position, sql);
  return known === undefined
    ? `PostgreSQL cannot read the statement: ${toShortText(message, 120)} (${place}).`
    : `${known} (${place}).`;
}

/** Counts as the server does, in characters from 1. */
function placeOf(position: number, sql: string): string {
  const lines = [...sql].slice(0, position).join('').split('\n');
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`;
}

/** A node with its kind, for example `FuncCall`. */
export interface FoundNode {
  readonly kind: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Every node below a tree, itself included, in no order. In the JSON of libpg_query a node is an object below its kind, which begins
 * with a capital letter; where the place allows one kind only (`intoClause`, `larg`), the object stands there by itself, and is found as that field.
 * Takes no stack, so that depth does not matter.
 */
export function* walkSql(tree: unknown): Generator<FoundNode> {
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [kind, child] of Object.entries(value)) {
      if (typeof child !== 'object' || child === null) continue;
      if (!Array.isArray(child)) yield { kind, fields: child as FoundNode['fields'] };
      open.push(child);
    }
  }
}

/** The names of a qualified name: `[{ String: { sval } }, …]`. */
export function namesOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: { readonly String?: { readonly sval?: unknown } } | null) =>
    typeof item?.String?.sval === 'string' ? [item.String.sval] : [],
  );
}
