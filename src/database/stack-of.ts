import { toPlainText } from '../activity/plain-text.ts';
import { redact } from './secret.ts';

/** Where an error was thrown, for those who mend it: without secrets, and safe to print. */
export function stackOf(error: unknown): string {
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error), null)
    .split('\n')
    .map(toPlainText)
    .join('\n');
}
