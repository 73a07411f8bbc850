import { toPlainText } from '../../activity/plain-text.ts';
import { redact } from '../../database/secret.ts';
import type { ApplicationEnd } from './keeper-messages.ts';

/** How an application ended, and when: "before it answered". */
export function describeEnd({ code, signal, failure, lastLines }: ApplicationEnd, when: string): string {
  if (failure !== null) return failure;
  return `The application ended ${when} (${signal ?? `exit code ${code ?? 'unknown'}`}).${quoteLines(lastLines)}`;
}

const shownLines = 8;

/** What it printed last, for the end of a sentence; nothing where it said nothing. */
export function quoteLines(lines: readonly string[]): string {
  if (lines.length === 0) return ' It printed nothing.';
  return ` Its last lines:\n${lines.slice(-shownLines).map((line) => `  ${toPlainText(redact(line, null))}`).join('\n')}`;
}
