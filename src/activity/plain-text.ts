/**
 * Hostile text made safe for a terminal, a log or a table cell: line breaks and tabs become spaces, escape sequences
 * and other control characters (C0, C1), and characters that reorder text (bidirectional marks), become `�`.
 */
export function toPlainText(text: string): string {
  return text.replace(/[\r\n\t\v\f\u0085\u2028\u2029 ]+/g, ' ').replace(dangerous, '\uFFFD');
}

/** The same for a place that can show several lines: line breaks, all as `\n`, and tabs stay. */
export function toPlainLines(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(dangerous, (character) =>
      character === '\n' || character === '\t' ? character : '\uFFFD',
    );
}

const dangerous = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Cuts to at most `length` characters, the last one being `…` when something was cut. */
export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}
