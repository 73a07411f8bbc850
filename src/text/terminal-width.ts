import stringWidth from 'string-width';

/** How many cells of a terminal a text takes: wide characters and emoji two each, colours none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** Cuts to at most so many cells of a terminal, the last one being `…` when something was cut. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let left = width - 1;
  const kept: string[] = [];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    kept.push(segment);
  }
  return width <= 0 ? '' : `${kept.join('')}…`;
}

/** Narrower than this nothing can be read. */
const narrowest = 20;

/**
 * Breaks a text between words, and not before "%", where it would be wider than the terminal; a word that is wider stays whole. `hang` cells
 * stay empty before each line but the first. Null, for output that goes elsewhere, breaks nowhere.
 */
export function wrapWords(text: string, columns: number | null, hang = 0): string {
  if (columns === null || widthOf(text) <= columns) return text;
  const room = Math.max(narrowest, columns);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) (?!%)/)) {
    if (line.trim() !== '' && widthOf(line) + 1 + widthOf(word) > room) {
      lines.push(line);
      line = `${' '.repeat(hang)}${word.trimStart()}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
