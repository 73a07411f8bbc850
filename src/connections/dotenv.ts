import { type Expansion, expansionOf } from './expand-variables.ts';

/** One assignment as it is written. */
interface Assignment {
  readonly text: string;
  /** In single quotes: nothing in it is expanded. */
  readonly isLiteral: boolean;
}

export interface DotenvDialect {
  /** Where a comment may begin in a value without quotes: at any `#`, as in the package dotenv, or at one after a space, as in Compose. */
  readonly comment: 'anywhere' | 'after space';
}

const mostVariables = 5_000;

/** Values that name other variables are filled in up to this many characters together, so that a small file cannot grow without measure. */
const mostFilledIn = 1024 * 1024;

export interface Dotenv {
  readonly variables: ReadonlyMap<string, string>;
  /** Whether values were left as they are written because all of them together would be too long. */
  readonly isOutgrown: boolean;
}

/**
 * Reads a `.env` file: `export`, quotes over several lines, comments, `${NAME}` of the same file. Runs nothing, asks no
 * environment. What stays unresolved is left as it is written.
 *
 * Written here since the package dotenv reads with one regular expression that takes quadratic time over blank lines
 * (6 s for 40 kB of them, dotenv 18.0), and files of a workspace may be made to hurt.
 */
export function readDotenv(text: string, dialect: DotenvDialect = { comment: 'anywhere' }): Dotenv {
  const assignments = parseAssignments(text, dialect);
  const { valueOf, isOutgrown } = createFilling(assignments);
  const variables = new Map([...assignments.keys()].map((name) => [name, valueOf(name) ?? '']));
  return { variables, isOutgrown: isOutgrown() };
}

/** Fills variables in with each other, however long the chain: what waits for another one stands in a list, not on the stack. */
function createFilling(assignments: ReadonlyMap<string, Assignment>): {
  readonly valueOf: (name: string) => string | undefined;
  readonly isOutgrown: () => boolean;
} {
  /** A variable that is being filled in has no value yet, so that a circle ends. */
  const values = new Map<string, string | undefined>();
  const waiting: { readonly name: string; readonly expansion: Expansion }[] = [];
  let [filledIn, isOutgrown] = [0, false];
  const begin = (name: string): void => {
    const { text, isLiteral } = assignments.get(name) as Assignment;
    const isDone = isLiteral || isOutgrown;
    values.set(name, isDone ? text : undefined);
    if (!isDone) waiting.push({ name, expansion: expansionOf(text) });
  };
  const isKnown = (name: string): boolean => values.has(name) || !assignments.has(name);
  const end = (name: string, value: string): void => {
    const { text } = assignments.get(name) as Assignment;
    if (value !== text) filledIn += value.length;
    isOutgrown ||= filledIn > mostFilledIn;
    values.set(name, isOutgrown ? text : value);
  };
  const fillIn = (): void => {
    let answer: string | undefined;
    for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
      const step = last.expansion.next(answer);
      if (step.done === true) {
        waiting.pop();
        end(last.name, step.value);
      } else if (!isKnown(step.value)) begin(step.value);
      answer = values.get(step.done === true ? last.name : step.value);
    }
  };
  return {
    valueOf(name) {
      if (!isKnown(name)) begin(name);
      fillIn();
      return values.get(name);
    },
    isOutgrown: () => isOutgrown,
  };
}

function parseAssignments(text: string, dialect: DotenvDialect): ReadonlyMap<string, Assignment> {
  const head = /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*(?:=|:[ \t])[ \t]*/y;
  const found = new Map<string, Assignment>();
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length && found.size < mostVariables) {
    head.lastIndex = at;
    const name = head.exec(text)?.[1];
    if (name === undefined) at = afterLine(text, at);
    else {
      const { assignment, end } = readValue(text, head.lastIndex, dialect);
      found.set(name, assignment);
      at = afterLine(text, end);
    }
  }
  return found;
}

function readValue(
  text: string,
  start: number,
  { comment }: DotenvDialect,
): { readonly assignment: Assignment; readonly end: number } {
  const quote = text.charAt(start);
  const close =
    quote === '"' || quote === "'" || quote === '`' ? closingQuote(text, start + 1, quote) : -1;
  if (close !== -1) {
    const inside = text.slice(start + 1, close);
    return {
      assignment: { text: quote === '"' ? unescape(inside) : inside, isLiteral: quote === "'" },
      end: close,
    };
  }
  const end = lineEnd(text, start);
  const line = text.slice(start, end);
  const hash = comment === 'anywhere' ? line.indexOf('#') : commentAfterSpace(line);
  return {
    assignment: { text: (hash === -1 ? line : line.slice(0, hash)).trim(), isLiteral: false },
    end,
  };
}

function commentAfterSpace(line: string): number {
  return line.startsWith('#') ? 0 : line.search(/[ \t]#/);
}

/** -1 when the quote is never closed. */
function closingQuote(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (quote !== '"' || !isEscaped(text, at, start)) return at;
  }
  return -1;
}

function isEscaped(text: string, at: number, start: number): boolean {
  let slashes = 0;
  while (at - slashes > start && text.charAt(at - slashes - 1) === '\\') slashes += 1;
  return slashes % 2 === 1;
}

function unescape(text: string): string {
  return text.replace(
    /\\([nr"])/g,
    (_, letter: string) => ({ n: '\n', r: '\r' })[letter] ?? letter,
  );
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function afterLine(text: string, from: number): number {
  return lineEnd(text, from) + 1;
}
