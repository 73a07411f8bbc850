/** Takes text as it arrives and gives its lines, without their ends. */
export type TakeText = (chunk: string) => void;

/**
 * Splits arriving text into lines. A line longer than `longest` characters is never kept whole: it is passed over up to its end, and
 * `onTooLong` is reported once.
 */
export function splitLines(
  longest: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): TakeText {
  let rest = '';
  let isPassing = false;
  const add = (piece: string): void => {
    if (isPassing) return;
    if (rest.length + piece.length <= longest) {
      rest += piece;
      return;
    }
    rest = '';
    isPassing = true;
    onTooLong();
  };
  const end = (): void => {
    const line = rest;
    const wasPassing = isPassing;
    rest = '';
    isPassing = false;
    if (!wasPassing && line !== '') onLine(line);
  };
  return (chunk) => {
    const [first = '', ...others] = chunk.split('\n');
    add(first);
    for (const piece of others) {
      end();
      add(piece);
    }
  };
}
