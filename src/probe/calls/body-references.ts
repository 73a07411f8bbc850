import { readSqlTokens, type SqlToken } from '../../sql/sql-tokens.ts';

/** A name as it stands in a body. */
export interface WrittenName {
  /** What stands before it and a dot: a schema, or something else. */
  readonly schema: string | null;
  readonly name: string;
}

/** What a body that is text names, and may mean by it. */
export type BodyAnswer =
  | {
      readonly kind: 'read';
      /** Names before a parenthesis. */
      readonly calls: readonly WrittenName[];
      /** Every name: of relations, types, columns, variables. */
      readonly names: readonly WrittenName[];
      /** Names behind a dot, which may call a function on a row. */
      readonly attributes: readonly string[];
    }
  | { readonly kind: 'refused'; /** Goes on after "which ". */ readonly because: string };

/** As long as the catalog is asked for. */
const longestBody = 200_000;

/** In bytes (NAMEDATALEN). */
const longestName = 63;

interface RefusedWords {
  readonly words: RegExp;
  readonly because: (word: string) => string;
  /** Only as the first word of a statement, since it is a common name too. */
  readonly begins?: true;
}

const refusedWords: readonly RefusedWords[] = [
  { words: /^execute$/, because: () => 'runs EXECUTE, whose text cannot be judged' },
  {
    words: /^(?:listen|unlisten|notify)$/,
    because: (word) => `runs ${word}, which sends or awaits notifications`,
  },
  {
    words: /^(?:deallocate|prepare|load|discard)$/,
    because: (word) => `runs ${word}, which changes the session beyond a rollback`,
    begins: true,
  },
  {
    words: /^(?:set|reset)$/,
    because: (word) => `runs ${word}, which changes settings`,
    begins: true,
  },
  { words: /^copy$/, because: (word) => `runs ${word}, which reads or writes files`, begins: true },
  {
    words: /^(?:call|do)$/,
    because: (word) => `runs ${word}, which may end the transaction`,
    begins: true,
  },
  {
    words: /^(?:commit|rollback|abort|savepoint|release)$/,
    because: (word) => `runs ${word}, which ends transactions`,
    begins: true,
  },
  {
    words:
      /^(?:create|alter|drop|truncate|grant|revoke|comment|security|reassign|refresh|import|reindex|cluster|repack|vacuum|analyze|analyse|checkpoint|lock)$/,
    because: (word) => `runs ${word}, which does more than read and write rows`,
    begins: true,
  },
];

/**
 * Reads the body of a function in SQL (`sql`) or PL/pgSQL (`plpgsql`). Over-cautious: a name counts as whatever it
 * may be.
 */
export function readBody(text: string, language: string): BodyAnswer {
  if (text.length > longestBody) return { kind: 'refused', because: 'is too long to be judged' };
  const answer = readSqlTokens(text);
  if (answer.kind === 'problem')
    return { kind: 'refused', because: `has ${answer.what}, which cannot be analysed` };
  const { tokens } = answer;
  const because = whyRefused(tokens, language === 'plpgsql' ? declaredIn(tokens) : new Set());
  return because === null ? { kind: 'read', ...namesOf(tokens) } : { kind: 'refused', because };
}

/** Places of tokens in sections of PL/pgSQL that declare variables: no statement begins there. */
function declaredIn(tokens: readonly SqlToken[]): ReadonlySet<number> {
  const places = new Set<number>();
  let isDeclaring = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    // Elsewhere the word may be a column.
    if (kind === 'word' && text === 'declare' && (at === 0 || isMark(tokens[at - 1], ';')))
      isDeclaring = true;
    if (kind === 'word' && text === 'begin') isDeclaring = false;
    if (isDeclaring) places.add(at);
  }
  return places;
}

function whyRefused(tokens: readonly SqlToken[], declared: ReadonlySet<number>): string | null {
  for (const [at, token] of tokens.entries()) {
    if (isName(token) && Buffer.byteLength(token.text) > longestName)
      return 'has names that the server cuts, which cannot be analysed';
    if (token.kind !== 'word') continue;
    const found = refusedWords.find(
      ({ words, begins }) =>
        words.test(token.text) &&
        (begins === undefined || (!declared.has(at) && beginsStatement(tokens, at))),
    );
    if (found !== undefined) return found.because(token.text.toUpperCase());
  }
  return null;
}

const wordsBefore = /^(?:begin|then|else|loop)$/;

/**
 * At the start, behind a semicolon or a label, or behind a word of PL/pgSQL that opens a list of statements; and not
 * itself a name there.
 */
function beginsStatement(tokens: readonly SqlToken[], at: number): boolean {
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  const opens =
    before === undefined ||
    before.text === ';' ||
    before.text === '>' ||
    (before.kind === 'word' && wordsBefore.test(before.text));
  const isName = after?.kind === 'mark' && after.text !== ';' && after.text !== '(';
  const isValue = after?.kind === 'word' && /^(?:else|end|when|nothing)$/.test(after.text);
  return opens && !isName && !isValue;
}

function namesOf(tokens: readonly SqlToken[]): Omit<Extract<BodyAnswer, { kind: 'read' }>, 'kind'> {
  const calls: WrittenName[] = [];
  const names: WrittenName[] = [];
  const attributes: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (!isName(token)) continue;
    const isBehindDot = isMark(tokens[at - 1], '.');
    const before = isBehindDot ? tokens[at - 2] : undefined;
    const schema = before !== undefined && isName(before) ? before.text : null;
    for (const name of foldings(token)) {
      names.push({ schema, name });
      if (isMark(tokens[at + 1], '(')) calls.push({ schema, name });
      if (isBehindDot) attributes.push(name);
    }
  }
  return { calls, names, attributes };
}

/** A database in a single-byte encoding folds letters beyond ASCII too. */
function foldings({ kind, text }: SqlToken): readonly string[] {
  const folded = text.toLowerCase();
  return kind === 'word' && folded !== text ? [text, folded] : [text];
}

function isName({ kind }: SqlToken): boolean {
  return kind === 'word' || kind === 'quoted';
}

function isMark(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
