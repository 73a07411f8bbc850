import { toPlainText } from '../../activity/plain-text.ts';
import { redact } from '../../database/secret.ts';
import type { ApplicationEnd } from './keeper-messages.ts';

/** How an application ended, and when: "before it answered". */
export function describeEnd(
  { code, signal, failure, lastLines }: ApplicationEnd,
  when: string,
): string {
  if (failure !== null) return failure;
  return `The application ended ${when} (${signal ?? `exit code ${code ?? 'unknown'}`}).${quoteLines(lastLines)}`;
}

const shownLines = 12;
/** A frame of Node.js itself, which tells nobody anything. */
const ownFrame = /^\s+at (?:.*\()?node:internal\//;

/** What it printed last, for the end of a sentence; nothing where it said nothing. */
export function quoteLines(lines: readonly string[]): string {
  if (lines.length === 0) return ' It printed nothing.';
  return ` Its last lines:\n${lines
    .filter((line) => !ownFrame.test(line))
    .slice(-shownLines)
    .map((line) => `  ${indentOf(line)}${toPlainText(redact(line.trim(), null))}`)
    .join('\n')}`;
}

/** A tab counts as two blanks. */
function indentOf(line: string): string {
  return (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '  ').slice(0, deepestIndent);
}

const deepestIndent = 20;
