import type { RandomSource } from '../random.ts';
import { type ColumnParameter, readColumnParameter } from './column-name.ts';

/** A value as PostgreSQL reads it, of whatever type the statement needs; null for NULL. */
export type ParameterValue = string | null;

export type ParameterAnswer =
  | { readonly kind: 'values'; readonly draw: (random: RandomSource) => ParameterValue }
  /** Of a column by the server's statistics. */
  | { readonly kind: 'column'; readonly parameter: ColumnParameter }
  | { readonly kind: 'problem'; /** A whole sentence. */ readonly sentence: string };

type Draw = (random: RandomSource) => ParameterValue;

/** What a text can stand for, in order of trial. A sentence says why it looks like one and is none. */
const shapes: readonly ((text: string) => Draw | string | null)[] = [
  readQuoted,
  readNull,
  readDates,
  readNumbers,
];

/**
 * Reads where the values of one parameter come from: `42`, `'text'`, `null`, a range `1..1000`, `0.5..2.5` or `2026-01-01..2026-12-31` with both ends,
 * several of them to pick from, `a|b|1..9`, each as often, or a column, `@users.city`. Quotes keep a text as it is: `'a|b'`, `'null'`, `'it''s'`.
 */
export function readParameter(text: string): ParameterAnswer {
  const parameter = readColumnParameter(text);
  if (parameter !== null) return { kind: 'column', parameter };
  const choices: Draw[] = [];
  for (const part of split(text, '|')) {
    const read = readChoice(part.trim());
    if (typeof read === 'string') return { kind: 'problem', sentence: read };
    choices.push(read);
  }
  const [only] = choices;
  const draw: Draw = (random) => choices[Math.floor(random() * choices.length)]?.(random) ?? null;
  return { kind: 'values', draw: choices.length === 1 && only !== undefined ? only : draw };
}

/** Cuts at a character that stands outside of single quotes. */
export function split(text: string, at: ',' | '|'): readonly string[] {
  const parts = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === "'") isQuoted = !isQuoted;
    if (character === at && !isQuoted) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function readChoice(text: string): Draw | string {
  if (text.includes('\0'))
    return 'A value of a parameter holds a character of code 0, which PostgreSQL cannot store.';
  for (const read of shapes) {
    const draw = read(text);
    if (draw !== null) return draw;
  }
  return () => text;
}

function readQuoted(text: string): Draw | string | null {
  if (!text.startsWith("'")) return null;
  const inner = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  if (inner === undefined)
    return `The value ${text} of a parameter has a quote that is never closed, or text after it: write '…', and '' for a quote in it.`;
  const value = inner.replaceAll("''", "'");
  return () => value;
}

function readNull(text: string): Draw | null {
  return text.toLowerCase() === 'null' ? () => null : null;
}

function readNumbers(text: string): Draw | string | null {
  const [, low = '', high = ''] =
    /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))\.\.([+-]?(?:\d+(?:\.\d+)?|\.\d+))$/.exec(text) ?? [];
  if (low === '') return null;
  const digits = Math.max(countDecimals(low), countDecimals(high));
  const scale = 10 ** digits;
  const [first, last] = [Math.round(Number(low) * scale), Math.round(Number(high) * scale)];
  if (
    !Number.isSafeInteger(first) ||
    !Number.isSafeInteger(last) ||
    !Number.isSafeInteger(last - first)
  )
    return `The range ${text} is too wide: up to 15 digits can be drawn from.`;
  return first > last
    ? describeReverse(text, low, high)
    : (random) => toDecimal(first + Math.floor(random() * (last - first + 1)), digits);
}

function countDecimals(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

/** The scaled number with its point put back. */
function toDecimal(scaled: number, digits: number): string {
  return digits === 0 ? String(scaled) : (scaled / 10 ** digits).toFixed(digits);
}

const dayMs = 86_400_000;

function readDates(text: string): Draw | string | null {
  const [, low = '', high = ''] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  if (low === '') return null;
  const [first, last] = [toDay(low), toDay(high)];
  if (first === null || last === null) return `The range ${text} names a day that there is not.`;
  return first > last
    ? describeReverse(text, low, high)
    : (random) => fromDay(first + Math.floor(random() * (last - first + 1)));
}

/** Days since 1970; null for the 30th of February. */
function toDay(text: string): number | null {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || fromDay(ms / dayMs) !== text ? null : ms / dayMs;
}

function fromDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function describeReverse(text: string, low: string, high: string): string {
  return `The range ${text} ends before it begins: write ${high}..${low}.`;
}
