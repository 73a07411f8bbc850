import { sqlTokens, type SqlToken } from '../../rules/model/sql-tokens.ts';

/** A statement with everything alike that may be written one way or the other and means the same. */
export interface NormalForm {
  /** Tokens with one blank between them, words in small letters, each constant and parameter a `?`, lists of them behind IN and VALUES a single one. */
  readonly text: string;
  /** Of each `?` its value, in order, those of lists included; null for a parameter. */
  readonly constants: readonly (string | null)[];
}

/** Takes time in proportion to the length. Quoted names keep their quotes: `"user"` is no `user`. */
export function normalForm(sql: string): NormalForm {
  const parts: string[] = [];
  const constants: (string | null)[] = [];
  const tokens = withNamedParameters(withoutLastSemicolon(sqlTokens(sql)));
  for (const token of tokens) {
    const constant = constantOf(token);
    if (constant !== undefined) constants.push(constant);
    parts.push(constant === undefined ? wordOf(token) : '?');
  }
  return { text: collapseLists(parts).join(' '), constants };
}

function wordOf({ kind, text }: SqlToken): string {
  return kind === 'quoted' ? JSON.stringify(text) : text.toLowerCase();
}

/** Undefined for what is no constant. */
function constantOf({ kind, text }: SqlToken): string | null | undefined {
  if (kind === 'parameter') return null;
  return kind === 'string' || kind === 'number' ? text : undefined;
}

function withoutLastSemicolon(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let end = tokens.length;
  while (end > 0 && isMark(tokens[end - 1], ';')) end--;
  return tokens.slice(0, end);
}

/** `:id` of files that a generator reads; `::` is a cast, and a colon inside of brackets a slice. */
function withNamedParameters(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const found: SqlToken[] = [];
  let brackets = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as SqlToken;
    brackets += isMark(token, '[') ? 1 : isMark(token, ']') ? -1 : 0;
    const isNamed =
      isMark(token, ':') &&
      brackets === 0 &&
      tokens[index + 1]?.kind === 'word' &&
      !isMark(tokens[index - 1], ':');
    found.push(isNamed ? { kind: 'parameter', text: ':' } : token);
    if (isNamed) index++;
  }
  return found;
}

function isMark(token: SqlToken | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark;
}

/** `in ( ? , ? )` and `in ( ? )`, `values ( ? , ? ) , ( ? , ? )` and `values ( ? , ? )`, `array [ ? , ? ]` and `array [ ? ]` differ by how many values there are. */
function collapseLists(parts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    kept.push(part);
    const list = part === 'in' || part === 'array' ? endOfList(parts, index + 1) : -1;
    if (list > 0) {
      kept.push(parts[index + 1] ?? '', '?', parts[list] ?? '');
      index = list;
    } else if (part === 'values') {
      const row = endOfRow(parts, index + 1);
      kept.push(...parts.slice(index + 1, row + 1));
      index = Math.max(index, afterSameRows(parts, index + 1, row));
    }
  }
  return kept;
}

/** The index of the bracket that closes a list of constants only; -1 where there is none. */
function endOfList(parts: readonly string[], start: number): number {
  if (parts[start] !== '(' && parts[start] !== '[') return -1;
  let at = start + 1;
  while (parts[at] === '?' && parts[at + 1] === ',') at += 2;
  return parts[at] === '?' && (parts[at + 1] === ')' || parts[at + 1] === ']') ? at + 1 : -1;
}

/** The index of the bracket that closes what opens at `start`; before it where nothing opens. */
function endOfRow(parts: readonly string[], start: number): number {
  if (parts[start] !== '(') return start - 1;
  let depth = 0;
  for (let at = start; at < parts.length; at++) {
    depth += parts[at] === '(' ? 1 : parts[at] === ')' ? -1 : 0;
    if (depth === 0) return at;
  }
  return start - 1;
}

/** The index of the last part of the rows behind the first that are the same. */
function afterSameRows(parts: readonly string[], start: number, end: number): number {
  const length = end - start + 1;
  let last = end;
  while (
    length > 0 &&
    parts[last + 1] === ',' &&
    parts.slice(start, end + 1).every((part, offset) => parts[last + 2 + offset] === part)
  )
    last += length + 1;
  return last;
}

/** Whether what the code writes may have become what the server shows: constants of the code stay, its parameters may be anything. */
export function mayBecome(code: NormalForm['constants'], seen: NormalForm['constants']): boolean {
  if (code.length === seen.length)
    return code.every((constant, index) => constant === null || constant === seen[index]);
  return areAmong(code, seen);
}

/** Whether the constants of the code stand among others in this order. */
export function areAmong(code: NormalForm['constants'], seen: NormalForm['constants']): boolean {
  let at = 0;
  for (const constant of code) {
    if (constant === null) continue;
    at = seen.indexOf(constant, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
