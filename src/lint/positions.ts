import type { Place } from '../../rules/index.ts';
import { withoutMark } from '../../rules/project/file-source.ts';

/** A place as editors count (Language Server Protocol): both numbers from 0, in UTF-16 units; lines end at LF, CR LF and CR, and a byte order mark is a character. */
export interface EditorPosition {
  readonly line: number;
  readonly character: number;
}

export interface EditorRange {
  readonly start: EditorPosition;
  readonly end: EditorPosition;
}

/**
 * The places of one text, from the way in which ESLint counts to that of editors. For ESLint a byte order mark is no part of the text, and
 * U+2028 and U+2029 end a line as well; it counts lines from 1.
 */
export interface Positions {
  /** The text as ESLint has it: offsets are those of this one. */
  readonly code: string;
  /** Where a line of ESLint's begins. */
  readonly startOf: (line: number) => number;
  /** A line of ESLint's, with what ends it. */
  readonly lineAt: (line: number) => string;
  /** The number that editors show of a line of ESLint's, from 1. */
  readonly shownLine: (line: number) => number;
  readonly ofOffsets: (start: number, end: number) => EditorRange;
  readonly ofPlace: (place: Place) => EditorRange;
}

/** Counts when first asked. */
export function positionsIn(text: string): Positions {
  const code = withoutMark(text);
  const mark = text.length - code.length;
  const lintedLines = once(() => startsOf(code, lintedLineEnd));
  const editorLines = once(() => startsOf(text, /\r\n|[\r\n]/gu));
  const startOf = (line: number): number => lintedLines()[line - 1] ?? code.length;
  const at = (offset: number): EditorPosition =>
    positionIn(text, editorLines(), Math.min(Math.max(offset, 0), code.length) + mark);
  const ofOffsets = (start: number, end: number) => ({ start: at(start), end: at(end) });
  return {
    code,
    startOf,
    lineAt: (line) => code.slice(startOf(line), startOf(line + 1)),
    shownLine: (line) => at(startOf(line)).line + 1,
    ofOffsets,
    ofPlace: ({ start, end }) =>
      ofOffsets(startOf(start.line) + start.column, startOf(end.line) + end.column),
  };
}

const lintedLineEnd = /\r\n|[\r\n\u2028\u2029]/gu;

/** Gives the places of ranges of one text as ESLint has it, each found when somebody looks at it: few nodes of a tree are looked at. */
export function createSpans(code: string): (range: readonly [number, number]) => Place {
  const starts = once(() => startsOf(code, lintedLineEnd));
  return (range) => new FoundWhenRead(range, starts);
}

class FoundWhenRead implements Place {
  private readonly range: readonly [number, number];
  private readonly starts: () => readonly number[];

  constructor(range: readonly [number, number], starts: () => readonly number[]) {
    this.range = range;
    this.starts = starts;
  }

  get start(): Place['start'] {
    return placeAt(this.range[0], this.starts());
  }

  get end(): Place['end'] {
    return placeAt(this.range[1], this.starts());
  }

  /** Places are compared by their JSON, and sent. */
  toJSON(): Place {
    return { start: this.start, end: this.end };
  }
}

function placeAt(offset: number, starts: readonly number[]): Place['start'] {
  const line = lineOf(offset, starts);
  return { line: line + 1, column: offset - (starts[line] ?? 0) };
}

/** Where each line begins. */
function startsOf(text: string, lineBreak: RegExp): readonly number[] {
  return [0, ...Array.from(text.matchAll(lineBreak), ({ index, 0: { length } }) => index + length)];
}

/** The last line that begins at an offset or before it, from 0. */
function lineOf(offset: number, starts: readonly number[]): number {
  let [line, behind] = [0, starts.length];
  while (behind - line > 1) {
    const middle = (line + behind) >> 1;
    if ((starts[middle] ?? 0) > offset) behind = middle;
    else line = middle;
  }
  return line;
}

/** No position lies between CR and LF. */
function positionIn(text: string, starts: readonly number[], offset: number): EditorPosition {
  const line = lineOf(offset, starts);
  const isBetween = text[offset - 1] === '\r' && text[offset] === '\n';
  return { line, character: offset - (starts[line] ?? 0) - (isBetween ? 1 : 0) };
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
