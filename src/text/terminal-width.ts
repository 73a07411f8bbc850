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
