import type { TextEdit } from 'vscode-languageserver';
import type { Positions } from '../../lint/positions.ts';
import { toEdit } from './to-edit.ts';

/** More lines than that are replaced as a whole: the comparison takes the product of both numbers. */
const mostCompared = 2_000;

/** The edits of whole lines that turn a code into `after` and leave all other lines, with what the editor has put on them, alone. */
export function lineEdits(positions: Positions, after: string): TextEdit[] {
  const [from, to] = [linesIn(positions.code), linesIn(after)];
  const head = commonStart(from, to);
  const tail = commonStart(from.slice(head).reverse(), to.slice(head).reverse());
  const [old, fresh] = [from.slice(head, from.length - tail), to.slice(head, to.length - tail)];
  const offsets = startsOf(from);
  return hunksOf(old, fresh).map(({ start, end, lines }) =>
    toEdit(positions, {
      range: [offsets[head + start] ?? 0, offsets[head + end] ?? 0],
      text: lines.join(''),
    }),
  );
}

function linesIn(text: string): string[] {
  return text.split(/(?<=\n|\r(?!\n))/u);
}

/** Offset of each line, and of the end. */
function startsOf(lines: readonly string[]): readonly number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return starts;
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((line, index) => line !== b[index]);
  return different === -1 ? a.length : different;
}

interface Hunk {
  /** Index of the first line that goes, and of the first behind those. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function hunksOf(old: readonly string[], fresh: readonly string[]): readonly Hunk[] {
  if (old.length > mostCompared || fresh.length > mostCompared)
    return [{ start: 0, end: old.length, lines: fresh }];
  const common = commonLengths(old, fresh);
  const hunks: Hunk[] = [];
  const from = { old: 0, fresh: 0 };
  const close = (i: number, j: number): void => {
    if (i > from.old || j > from.fresh)
      hunks.push({ start: from.old, end: i, lines: fresh.slice(from.fresh, j) });
  };
  let [i, j] = [0, 0];
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      close(i, j);
      i++;
      j++;
      Object.assign(from, { old: i, fresh: j });
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) i++;
    else j++;
  }
  close(old.length, fresh.length);
  return hunks;
}

/** `[i][j]`: the length of the longest common subsequence of what is left from `i` and `j` on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] =
          old[i] === fresh[j]
            ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
            : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}
