import { toPlainText } from '../activity/plain-text.ts';
import { redact } from './secret.ts';

/** The stack of an error for a bug report: secrets redacted, safe to print. */
export function stackOf(error: unknown): string {
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error), null)
    .split('\n')
    .map(toPlainText)
    .join('\n');
}
