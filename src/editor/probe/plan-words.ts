import { toPlainText, shorten } from '../../activity/plain-text.ts';
import type { ProbePlan } from '../../probe/result.ts';

const longestStatement = 300;
const mostStatements = 5;

/** What a probe is about to do, a line each, for a dialog. Statements may come from a hostile server. */
export function planLines({
  statements,
  sizes,
  connections,
  free,
  expectedMs,
  cap,
  notes,
}: ProbePlan): readonly string[] {
  const shown = statements
    .slice(0, mostStatements)
    .map((text) => shorten(toPlainText(text), longestStatement));
  return [
    ...shown,
    ...(statements.length > shown.length
      ? [`… and ${statements.length - shown.length} more statements`]
      : []),
    '',
    `At most ${connections} connections at a time, of ${free} that are free, for about ${Math.max(1, Math.round(expectedMs / 1000))} seconds.`,
    ...(sizes.length === 0
      ? []
      : [
          `Pool sizes ${sizes.join(', ')}; the largest is ${cap.size}: ${toPlainText(cap.because)}`,
        ]),
    ...notes.map((note) => toPlainText(note)),
  ];
}
