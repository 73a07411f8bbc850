import type { LintedFile } from './linter.ts';

/** A file of which only is said why it was not checked. */
export function uncheckedFile(
  path: string,
  message: string,
  severity: 'warning' | 'error' = 'error',
): LintedFile {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    path,
    text: '',
    problems: [{ ...place, rule: null, severity, message, steps: [], fixes: [] }],
    messages: [
      severity === 'error'
        ? { ...place, ruleId: null, severity: 2, fatal: true, message }
        : { ...place, ruleId: null, severity: 1, message },
    ],
    suppressedMessages: [],
  };
}
