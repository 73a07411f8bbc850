import { readClass, type Takes } from './character-class.ts';

/** How a pattern is read: as git reads a line of a `.gitignore`, or as shells do, with `{a,b}`, `!(a|b)` and the like. */
export type Dialect = 'git' | 'shell';

/** How often what stands in a group may come: once, at most once, any number of times, at least once, or anything but it. */
export type Often = '@' | '?' | '*' | '+' | '!';

export type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'any' | 'star' | 'or' | 'close' | 'nothing' }
  | { readonly kind: 'class'; readonly takes: Takes }
  | { readonly kind: 'open'; readonly often: Often };

/** A bracket that may begin a group: it does when it is closed. */
interface Bracket {
  readonly kind: '(' | '{';
  /** The index of its first token. */
  readonly start: number;
  readonly often: Often;
  /** Whether it is a group without alternatives as well. */
  readonly isGroupAlone: boolean;
  readonly separators: number[];
}

/** Undefined for what git takes for broken, and never matches. */
export function tokensOf(pattern: string, dialect: Dialect): readonly Token[] | undefined {
  const tokens: Token[] = [];
  const groups = createGroups(tokens);
  for (let at = 0; at < pattern.length;) {
    const read = readToken(pattern, at);
    if (read === undefined && dialect === 'git') return undefined;
    const letter = pattern.charAt(at);
    tokens.push(read?.token ?? { kind: 'letter', letter });
    if (dialect === 'shell') groups.note(read?.isEscaped === false ? letter : '');
    at = read?.end ?? at + 1;
  }
  return tokens;
}

interface ReadToken {
  readonly token: Token;
  readonly end: number;
  readonly isEscaped: boolean;
}

/** Undefined for a bracket that is never closed, and for a backslash with nothing behind it. */
function readToken(pattern: string, at: number): ReadToken | undefined {
  const letter = pattern.charAt(at);
  if (letter === '[') {
    const found = readClass(pattern, at);
    return found && { token: { kind: 'class', ...found }, end: found.end, isEscaped: true };
  }
  if (letter !== '\\') return { token: tokenOf(letter), end: at + 1, isEscaped: false };
  return at + 1 === pattern.length
    ? undefined
    : {
        token: { kind: 'letter', letter: pattern.charAt(at + 1) },
        end: at + 2,
        isEscaped: true,
      };
}

function tokenOf(letter: string): Token {
  if (letter === '*') return { kind: 'star' };
  return letter === '?' ? { kind: 'any' } : { kind: 'letter', letter };
}

interface Groups {
  /** A letter of the pattern has become the last token; empty for what stands for itself. */
  note(letter: string): void;
}

/** Turns the tokens of brackets into groups, from the inside out: those that are never closed stay letters. */
function createGroups(tokens: Token[]): Groups {
  const open: Bracket[] = [];
  let before = '';
  const openAt = (kind: Bracket['kind'], often: Often, start: number, isGroupAlone: boolean) =>
    open.push({ kind, often, start, isGroupAlone, separators: [] });
  const begin = (letter: '(' | '{'): void => {
    const last = tokens.length - 1;
    if (letter === '(' && isOften(before)) openAt('(', before, last - 1, true);
    else openAt(letter, '@', last, false);
  };
  const end = (kind: Bracket['kind']): void => {
    const index = open.findLastIndex((each) => each.kind === kind);
    const [bracket] = index < 0 ? [] : open.splice(index);
    if (bracket !== undefined) close(bracket, tokens);
  };
  return {
    note(letter) {
      if (letter === '(' || letter === '{') begin(letter);
      else if (letter === ')') end('(');
      else if (letter === '}') end('{');
      else if (letter === (open.at(-1)?.kind === '(' ? '|' : ','))
        open.at(-1)?.separators.push(tokens.length - 1);
      before = letter;
    },
  };
}

function isOften(letter: string): letter is Often {
  return '@?*+!'.includes(letter) && letter !== '';
}

function close({ start, often, kind, isGroupAlone, separators }: Bracket, tokens: Token[]): void {
  const last = tokens.length - 1;
  if (separators.length === 0 && !isGroupAlone) {
    const range = kind === '{' ? rangeIn(tokens.slice(start + 1, last)) : undefined;
    if (range !== undefined) tokens.splice(start, tokens.length, range);
    return;
  }
  tokens[start] = { kind: 'open', often };
  if (isGroupAlone) tokens[start + 1] = { kind: 'nothing' };
  for (const separator of separators) tokens[separator] = { kind: 'or' };
  tokens[last] = { kind: 'close' };
}

/** `{1..3}` */
function rangeIn(inside: readonly Token[]): Token | undefined {
  const text = inside.map((token) => (token.kind === 'letter' ? token.letter : ' ')).join('');
  const [, low, high] = /^(\w)\.\.(\w)$/u.exec(text) ?? [];
  return low === undefined || high === undefined
    ? undefined
    : readClassBetween([low, high].sort() as [string, string]);
}

function readClassBetween([low, high]: readonly [string, string]): Token {
  return {
    kind: 'class',
    takes: (code) => low.charCodeAt(0) <= code && code <= high.charCodeAt(0),
  };
}
