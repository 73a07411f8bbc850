import type { StatementMatch } from '../activity/code-knowledge.ts';
import type { CodeStatement } from './code-statement.ts';
import { areAmong, mayBecome, normalForm, type NormalForm } from './normal-form.ts';
import { beginningOf, fits, fitsNormal } from './pieces.ts';
import { type Words, wordsIn } from './telling-words.ts';

/** Where a statement is written. */
export interface FoundStatement {
  readonly match: StatementMatch;
  /** The likeliest first; never empty. */
  readonly statements: readonly CodeStatement[];
}

export interface StatementIndex {
  /** The surest places of a text as the server shows it, which may be cut. Null when there is none. */
  find(seen: string): FoundStatement | null;
}

interface Template {
  readonly statement: CodeStatement;
  readonly pieces: readonly string[];
  readonly words: Words;
}

interface NormalTemplate extends Template {
  readonly constants: NormalForm['constants'];
}

/** A template with fewer letters than these is the beginning of too many statements. */
const fewestLetters = 12;
const fewestTelling = 4;
/** Letters of a statement that its template has to have, so that what fills the holes is not nearly all of it. */
const smallestShare = 1 / 3;
/** The server cuts at 1,024 bytes by default, the last of which it needs for itself, and never within a character (`pgstat_clip_activity`). */
const shortestCut = 1020;

/** An index of what the code writes. Normal forms are made when the first text needs them. */
export function createStatementIndex(all: readonly CodeStatement[]): StatementIndex {
  const statements = all.filter(({ pieces }) => isTelling(pieces));
  const exact = groupBy(
    statements.filter(({ pieces }) => pieces.length === 1),
    ({ pieces }) => pieces[0] ?? '',
  );
  const templates = createPrefixBuckets<Template>();
  for (const statement of statements) {
    const template = toTemplate(statement, statement.pieces);
    if (statement.pieces.length > 1) templates.add(statement.pieces[0] ?? '', template);
  }
  let normal: ReturnType<typeof createNormalIndex> | undefined;
  const findWhole = (seen: string, words: Words): FoundStatement | null => {
    const letterForLetter = found('exact', exact.get(seen) ?? []);
    if (letterForLetter !== null) return letterForLetter;
    const fitting = [...templates.of(seen)].filter(
      (template) => isMostOf(template.words, words) && fits(template.pieces, seen),
    );
    return (
      found('template', mostSpecific(fitting)) ??
      (normal ??= createNormalIndex(statements)).find(seen)
    );
  };
  return {
    find(seen) {
      if (saysNothing(seen)) return null;
      const words = wordsIn(seen);
      return (
        findWhole(seen, words) ??
        (isCut(seen) ? findBeginning(statements, seen.replace(/\uFFFD{1,3}$/u, '')) : null)
      );
    },
  };
}

function createNormalIndex(statements: readonly CodeStatement[]) {
  const forms = statements.map((statement) => ({ statement, ...normalPieces(statement.pieces) }));
  const whole = groupBy(
    forms.filter(({ text }) => !text.includes(hole)),
    ({ text }) => text,
  );
  const templates = createPrefixBuckets<NormalTemplate>();
  for (const { statement, text, constants } of forms) {
    const pieces = text.split(hole);
    if (pieces.length > 1)
      templates.add(pieces[0] ?? '', { ...toTemplate(statement, pieces), constants });
  }
  return {
    find(seen: string): FoundStatement | null {
      const { text, constants } = normalForm(seen);
      const same = (whole.get(text) ?? [])
        .filter((each) => mayBecome(each.constants, constants))
        .map(({ statement }) => statement);
      const words = wordsIn(text);
      const fitting = [...templates.of(text)].filter(
        (each) =>
          isMostOf(each.words, words) &&
          areAmong(each.constants, constants) &&
          fitsNormal(each.pieces, text),
      );
      return found('normalised', same) ?? found('normalised', mostSpecific(fitting));
    },
  };
}

/** Of the private use area, so that nobody writes it; it reads like a letter of a name. */
const hole = '\uE000';

/** `$${index}` is a parameter whatever fills it. What fills a constant is no part of it. */
function normalPieces(pieces: readonly string[]): NormalForm {
  const sql = pieces.reduce(
    (text, piece) => `${text}${/(?<!\$)\$$/u.test(text) ? '0' : hole}${piece}`,
  );
  const { text, constants } = normalForm(sql);
  return {
    text,
    constants: constants.map((constant) => (constant?.includes(hole) === true ? null : constant)),
  };
}

/** A linear look: the server cuts few statements, and what was looked up is remembered. */
function findBeginning(statements: readonly CodeStatement[], cut: string): FoundStatement | null {
  const words = wordsIn(cut);
  const fitting = statements.flatMap((statement) => {
    const beginning = beginningOf(statement.pieces, cut);
    const template = beginning && toTemplate(statement, beginning);
    return template && isMostOf(template.words, words) ? [template] : [];
  });
  return found('beginning', mostSpecific(fitting));
}

function isCut(seen: string): boolean {
  return seen.length >= shortestCut / 4 && new TextEncoder().encode(seen).length >= shortestCut;
}

function toTemplate(statement: CodeStatement, pieces: readonly string[]): Template {
  return { statement, pieces, words: wordsIn(pieces.join(' ')) };
}

function isTelling(pieces: readonly string[]): boolean {
  const [first = ''] = pieces;
  if (pieces.length === 1) return !saysNothing(first);
  const { letters, telling } = wordsIn(pieces.join(' '));
  return letters >= fewestLetters && telling >= fewestTelling;
}

const silentWord =
  /^(?:\s|--[^\n]*\n|\/\*[^*]*\*\/)*(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|SET|RESET|SHOW|DISCARD|DEALLOCATE|EXECUTE)\b/i;

/** What every program sends, such as BEGIN and `SELECT 1`, says nothing about where it is written. */
function saysNothing(sql: string): boolean {
  return silentWord.test(sql) || wordsIn(sql).telling === 0;
}

function isMostOf(template: Words, seen: Words): boolean {
  return (
    template.letters >= fewestLetters &&
    template.telling >= fewestTelling &&
    template.letters >= seen.letters * smallestShare
  );
}

/** Templates with more letters first. */
function mostSpecific(templates: readonly Template[]): readonly CodeStatement[] {
  const [most = 0] = templates.map(({ words }) => words.letters).sort((a, b) => b - a);
  const first = inOrder(
    templates.filter(({ words }) => words.letters === most).map(({ statement }) => statement),
  );
  return [
    ...first,
    ...inOrder(
      templates.filter(({ words }) => words.letters < most).map(({ statement }) => statement),
    ),
  ];
}

/** Where a statement is sent tells more than where its text is kept for somebody. */
function found(match: StatementMatch, statements: readonly CodeStatement[]): FoundStatement | null {
  if (statements.length === 0) return null;
  const sent = statements.filter(({ isSent }) => isSent);
  const likeliest = sent.length > 0 ? sent : statements;
  const unique = [...new Map(likeliest.map((each) => [`${each.uri} ${each.line}`, each])).values()];
  return { match, statements: match === 'exact' ? inOrder(unique) : unique };
}

function inOrder(statements: readonly CodeStatement[]): readonly CodeStatement[] {
  return [...statements].sort(
    (a, b) =>
      Number(a.isAside) - Number(b.isAside) ||
      (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
}

function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/** Finds what begins a text among many beginnings. */
interface PrefixBuckets<Value> {
  add(prefix: string, value: Value): void;
  /** All values whose beginning the text begins with. */
  of(text: string): Iterable<Value>;
}

/** Longer beginnings are recognised by this many characters; who asks compares the rest. */
const longest = 48;

function createPrefixBuckets<Value>(): PrefixBuckets<Value> {
  const byLength = new Map<number, Map<string, Value[]>>();
  return {
    add(prefix, value) {
      const key = prefix.slice(0, longest);
      const bucket = byLength.get(key.length) ?? new Map<string, Value[]>();
      byLength.set(key.length, bucket);
      const values = bucket.get(key);
      if (values === undefined) bucket.set(key, [value]);
      else values.push(value);
    },
    *of(text) {
      for (const [length, bucket] of byLength) yield* bucket.get(text.slice(0, length)) ?? [];
    },
  };
}
