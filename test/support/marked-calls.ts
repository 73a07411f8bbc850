/** Code in which a call between angle brackets gets the mark of a report: `«call()» // messageId`, `outside` where none is named. */
export function markedCalls(code: string): string {
  return code
    .split('\n')
    .flatMap((line) => {
      const start = line.indexOf('«');
      if (start === -1) return [line];
      const text = line.replaceAll(/[«»]/gu, '');
      const length = line.indexOf('»') - start - 1;
      const id = /\/\/ (\w+)$/u.exec(line)?.[1] ?? 'outside';
      const plain = text.replace(/ *\/\/ \w+$/u, '');
      return [plain, `//${' '.repeat(start - 2)}${'^'.repeat(length)} ${id}`];
    })
    .join('\n');
}
