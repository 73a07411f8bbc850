import type { TextEdit } from 'vscode-languageserver';
import type { Positions } from '../../lint/positions.ts';
import type { Fix } from '../../lint/problem.ts';

/** An edit of a text by its offsets, as editors take it. */
export function toEdit(
  positions: Positions,
  { range: [start, end], text }: Pick<Fix, 'range' | 'text'>,
): TextEdit {
  return { range: positions.ofOffsets(start, end), newText: text };
}
