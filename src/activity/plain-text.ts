import { showHidden } from '../text/hidden.ts';

/**
 * Hostile text made safe for a terminal, a log or a table cell: line breaks and tabs become spaces. Escape sequences and
 * other control characters, what reorders text, and what has no width are shown as escapes: `\u001b`, `\u200b`.
 */
export function toPlainText(text: string): string {
  return showHidden(text).replace(/[\r\n\t ]+/g, ' ');
}

/** The same for a place that can show several lines: line breaks, all as `\n`, and tabs stay. */
export function toPlainLines(text: string): string {
  return showHidden(text).replace(/\r\n|\r/g, '\n');
}

/** The same, cut to at most `length` characters, the last one being `…` when something was cut. Long texts are read as far as they are shown. */
export function toShortText(text: string, length: number): string {
  const read = text.slice(0, 4 * length);
  return shorten(`${toPlainText(read)}${read.length < text.length ? '…' : ''}`, length);
}

/** Cuts to at most `length` characters, the last one being `…` when something was cut. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}
