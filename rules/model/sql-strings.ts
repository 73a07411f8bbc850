import { endOfLine, endOfRun, isBlank } from './sql-characters.ts';

/** How a plain string reads: by the standard, or with backslashes as escapes (`standard_conforming_strings` off). */
export type PlainStrings = 'standard' | 'escaped';

/** What stands between quotes. */
export interface Quoted {
  /** What it means, or as it is written where it has an escape that means nothing. */
  readonly value: string;
  /** The offset behind it. */
  readonly end: number;
  /** False for what reaches to the end of the text. */
  readonly isClosed: boolean;
}

interface Notation {
  /** Where the quote stands that ends a part. */
  readonly endOfPart: (sql: string, start: number) => number;
  readonly valueOf: (part: string) => string;
}

const notations = {
  /** `'…'`, `U&'…'` */
  standard: {
    endOfPart: (sql, start) => endOfDoubled(sql, start, "'"),
    valueOf: (part) => part.replaceAll("''", "'"),
  },
  /** `E'…'` */
  escaped: { endOfPart: endOfEscaped, valueOf: withoutEscapes },
  /** `B'…'`, `X'…'`, in which no quote can be meant. */
  bits: {
    endOfPart: (sql, start) => {
      const close = sql.indexOf("'", start);
      return close < 0 ? sql.length : close;
    },
    valueOf: (part) => part,
  },
} as const satisfies Readonly<Record<string, Notation>>;

/**
 * The string whose opening quote stands before `start`. It goes on in the quotes behind a line's end, by the notation that it
 * began with (`scan.l`, quotecontinue).
 */
export function readString(sql: string, start: number, notation: keyof typeof notations): Quoted {
  const { endOfPart, valueOf } = notations[notation];
  let value = '';
  for (let from: number | undefined = start, close = start; from !== undefined;) {
    close = endOfPart(sql, from);
    value += valueOf(sql.slice(from, close));
    if (close >= sql.length) break;
    from = startOfNextPart(sql, close + 1);
    if (from === undefined) return { value: fromBytes(value), end: close + 1, isClosed: true };
  }
  return { value: fromBytes(value), end: sql.length, isClosed: false };
}

/** The name whose opening quote stands before `start`. */
export function readQuotedName(sql: string, start: number): Quoted {
  const close = endOfDoubled(sql, start, '"');
  return {
    value: sql.slice(start, close).replaceAll('""', '"'),
    end: Math.min(close + 1, sql.length),
    isClosed: close < sql.length,
  };
}

/** Behind blanks and `--` comments that have a line's end among them, and a quote. */
function startOfNextPart(sql: string, end: number): number | undefined {
  let at = end;
  for (;;) {
    at = endOfRun(sql, at, isBlank);
    if (!sql.startsWith('--', at)) break;
    at = endOfLine(sql, at);
  }
  return sql.charAt(at) === "'" && /[\n\r]/.test(sql.slice(end, at)) ? at + 1 : undefined;
}

/** A quote is doubled to be meant. */
function endOfDoubled(sql: string, start: number, quote: string): number {
  for (let at = sql.indexOf(quote, start); at >= 0; at = sql.indexOf(quote, at + 2)) {
    if (sql.charAt(at + 1) !== quote) return at;
  }
  return sql.length;
}

function endOfEscaped(sql: string, start: number): number {
  for (let at = start; at < sql.length; at++) {
    const each = sql.charAt(at);
    if (each === "'" && sql.charAt(at + 1) !== "'") return at;
    if (each === '\\' || each === "'") at++;
  }
  return sql.length;
}

const letters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const escapes =
  /\\(?:(?<octal>[0-7]{1,3})|x(?<hex>[\dA-Fa-f]{1,2})|u(?<short>[\dA-Fa-f]{4})|U(?<long>[\dA-Fa-f]{8})|(?<letter>[^]))|''/gu;

function withoutEscapes(part: string): string {
  if (!/['\\]/.test(part)) return part;
  return part.replaceAll(escapes, (...found) => {
    const { octal, hex, short, long, letter } = found.at(-1) as Record<string, string | undefined>;
    if (octal !== undefined) return toByte(Number.parseInt(octal, 8) & 0xff);
    if (hex !== undefined) return toByte(Number.parseInt(hex, 16));
    const code = short ?? long;
    if (code !== undefined) return toCharacter(code) ?? String(found[0]);
    return letter === undefined ? "'" : (letters[letter] ?? letter);
  });
}

/** A half of a pair is one until the other half follows. */
function toCharacter(hex: string): string | undefined {
  const code = Number.parseInt(hex, 16);
  return code > 0x10_ff_ff ? undefined : String.fromCodePoint(code);
}

/** Where a byte beyond ASCII is kept among characters until all bytes of its character are there, as halves of pairs that stand for nothing else. */
const byteBase = 0xdc_00;

function toByte(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : byteBase + byte);
}

function fromBytes(value: string): string {
  return value.replaceAll(/[\u{DC80}-\u{DCFF}]+/gu, (run) =>
    new TextDecoder().decode(Uint8Array.from(run, (each) => each.charCodeAt(0) - byteBase)),
  );
}

/** A character that begins escapes after `UESCAPE` (`scan.l`, check_uescapechar). */
const escapeCharacter = /^[^\dA-Fa-f+'"\s\u{80}-\u{10FFFF}]$/u;

export function isEscapeCharacter(text: string): boolean {
  return escapeCharacter.test(text);
}

/** What `U&'…'` and `U&"…"` mean. */
export function withoutUnicodeEscapes(text: string, escape: string): string {
  if (!text.includes(escape)) return text;
  const first = `\\u{${escape.charCodeAt(0).toString(16)}}`;
  const pattern = String.raw`${first}(?:(?<short>[\dA-Fa-f]{4})|\+(?<long>[\dA-Fa-f]{6})|${first})`;
  return text.replaceAll(new RegExp(pattern, 'gu'), (...found) => {
    const { short, long } = found.at(-1) as Record<string, string | undefined>;
    const code = short ?? long;
    return code === undefined ? escape : (toCharacter(code) ?? String(found[0]));
  });
}
