import type { Node } from '../../syntax/node.ts';
import { hole as plainHole } from '../../model/sql.ts';

/** A part that is not known. */
export interface Hole {
  /** What fills it; undefined for a placeholder of a format. */
  readonly expression: Node | undefined;
}

/** A text of SQL around its holes. */
export interface Text {
  readonly pieces: readonly (string | Hole)[];
  /** The literals and templates that it is written in, and what is added to it later. */
  readonly literals: readonly Node[];
  /** Whether it has gone through something that leaves a statement what it is, but not letter for letter. */
  readonly isAltered: boolean;
  /** Whether it was tagged or marked as SQL, so that another tagged text takes it in as it is. */
  readonly isFragment: boolean;
}

const empty: Text = { pieces: [], literals: [], isAltered: false, isFragment: false };

export function written(text: string, literal: Node): Text {
  return { ...empty, pieces: text === '' ? [] : [text], literals: [literal] };
}

export function holeFor(expression: Node | undefined): Text {
  return { ...empty, pieces: [{ expression }] };
}

export function concatenated(texts: readonly Text[]): Text {
  return {
    pieces: joinedPieces(texts.flatMap(({ pieces }) => pieces)),
    literals: [...new Set(texts.flatMap(({ literals }) => literals))],
    isAltered: texts.some(({ isAltered }) => isAltered),
    isFragment: false,
  };
}

/** Characters and holes. */
export function sizeOf({ pieces }: Text): number {
  return pieces.reduce((size, piece) => size + (typeof piece === 'string' ? piece.length : 1), 0);
}

/** Strings side by side are one. */
function joinedPieces(pieces: readonly (string | Hole)[]): readonly (string | Hole)[] {
  const joined: (string | Hole)[] = [];
  let words: string[] = [];
  const flush = (): void => {
    const text = words.join('');
    if (text !== '') joined.push(text);
    words = [];
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') words.push(piece);
    else {
      flush();
      joined.push(piece);
    }
  }
  flush();
  return joined;
}

export function trimmed(text: Text, how: 'trim' | 'trimStart' | 'trimEnd'): Text {
  const last = text.pieces.length - 1;
  const pieces = text.pieces.map((piece, index) => {
    if (typeof piece !== 'string') return piece;
    const fromStart = how !== 'trimEnd' && index === 0 ? piece.trimStart() : piece;
    return how !== 'trimStart' && index === last ? fromStart.trimEnd() : fromStart;
  });
  return { ...text, pieces: joinedPieces(pieces) };
}

/** `format('SELECT * FROM %I', table)` fills its values in. */
export function formatted(text: Text): Text {
  const pieces = text.pieces.flatMap((piece): readonly (string | Hole)[] =>
    typeof piece === 'string' ? aroundPlaceholders(piece) : [piece],
  );
  return { ...text, pieces: joinedPieces(pieces) };
}

function aroundPlaceholders(format: string): readonly (string | Hole)[] {
  return format
    .split(/%(?:\d+\$)?[-\d]*[ILsdjo]/u)
    .flatMap((words, index) => (index === 0 ? [words] : [{ expression: undefined }, words]));
}

/** As a reader of statements takes it: each hole reads like a parameter. */
export function sqlOf({ pieces }: Text): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : plainHole)).join('');
}

/** The strings around its holes, both ends included: one for a constant; holes side by side are one. */
export function stringsOf({ pieces }: Text): readonly string[] {
  const strings = [''];
  let isAfterHole = false;
  for (const piece of pieces) {
    if (typeof piece === 'string') strings.push((strings.pop() ?? '') + piece);
    else if (!isAfterHole) strings.push('');
    isAfterHole = typeof piece !== 'string';
  }
  return strings;
}

/** A text in which a library fills something in where `fills` finds a mark. */
export function filledIn(text: Text, fills: RegExp): Text {
  const pieces = text.pieces.flatMap((piece): readonly (string | Hole)[] =>
    typeof piece === 'string'
      ? piece
          .split(fills)
          .flatMap((words, index) => (index === 0 ? [words] : [{ expression: undefined }, words]))
      : [piece],
  );
  return { ...text, pieces: joinedPieces(pieces) };
}
