/** Breaks a line between words, and not before "%", so that none is longer than that; null breaks nowhere. */
export function wrapWords(text: string, columns: number | null): string {
  if (columns === null || text.length <= columns) return text;
  const room = Math.max(20, columns);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) (?!%)/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word.trimStart();
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
