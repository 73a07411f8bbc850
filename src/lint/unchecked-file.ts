import type { LintedFile } from './linter.ts';

/** A file of which only is said why it was not checked. */
export function uncheckedFile(path: string, message: string): LintedFile {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    path,
    text: '',
    problems: [{ ...place, rule: null, severity: 'error', message, steps: [], fixes: [] }],
    messages: [{ ...place, ruleId: null, severity: 2, fatal: true, message }],
    suppressedMessages: [],
  };
}
