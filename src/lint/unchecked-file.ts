import type { LintedFile } from './linter.ts';
import { failed } from './to-problem.ts';

/** A file of which only is said why it was not checked. */
export function uncheckedFile(
  path: string,
  message: string,
  severity: 'warning' | 'error' = 'error',
): LintedFile {
  return { path, text: '', problems: [{ ...failed(message), severity }], suppressed: [] };
}
