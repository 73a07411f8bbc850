import type { Problem } from '../../lint/problem.ts';

export type ExcerptRow =
  | {
      readonly kind: 'line';
      readonly number: number;
      readonly text: string;
      readonly isFinding: boolean;
    }
  /** A step of the path, below the line it is about. */
  | { readonly kind: 'step'; readonly number: number; readonly text: string }
  | { readonly kind: 'gap' };

/** Lines shown before and after one that matters. */
const context = 1;
/** A line of a minified file would fill the page. */
const longestLine = 200;

/** The lines of the finding and of its path in the same file, with the steps below their lines and gaps where lines are left out. */
export function excerptOf(problem: Problem, text: string): readonly ExcerptRow[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u);
  const steps = problem.steps
    .filter(({ file }) => file === undefined)
    .map((step, index) => ({ line: step.line, number: index + 1, text: step.message }));
  const shown = shownLines([problem.line, ...steps.map(({ line }) => line)], lines.length);
  return shown.flatMap((number, index): readonly ExcerptRow[] => [
    ...(index > 0 && shown[index - 1] !== number - 1 ? [{ kind: 'gap' } as const] : []),
    {
      kind: 'line',
      number,
      text: shorten(lines[number - 1] ?? ''),
      isFinding: number === problem.line,
    },
    ...steps
      .filter(({ line }) => line === number)
      .map((step) => ({ kind: 'step', number: step.number, text: step.text }) as const),
  ]);
}

function shownLines(places: readonly number[], last: number): readonly number[] {
  const around = places.flatMap((line) =>
    Array.from({ length: 2 * context + 1 }, (_, offset) => line - context + offset),
  );
  return [...new Set(around)].filter((line) => line >= 1 && line <= last).sort((a, b) => a - b);
}

function shorten(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}
