import type { Diagnostic } from 'vscode-languageserver';
import type { RuleProblem } from './disable-comments.ts';

/** The diagnostics that an editor shows for a problem: ours, or the workspace's own ESLint's (`poolguard/x`) and oxlint's (`poolguard(x)`). */
export function shownFor(
  { rule, line, column }: RuleProblem,
  shown: readonly Diagnostic[],
): Diagnostic[] {
  const oxlint = `poolguard(${rule.replace('poolguard/', '')})`;
  return shown.filter(
    ({ code, range: { start } }) =>
      start.line === line - 1 &&
      ((code === rule && start.character === column - 1) || code === oxlint),
  );
}
