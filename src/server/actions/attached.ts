import type { Diagnostic } from 'vscode-languageserver';
import type { LocationOf } from '../to-diagnostics.ts';
import type { RuleProblem } from './disable-comments.ts';

/** The diagnostics that an editor shows for a problem: ours, or the workspace's own ESLint's (`poolguard/x`) and oxlint's (`poolguard(x)`). */
export function shownFor(
  { rule, place }: RuleProblem,
  locationOf: LocationOf,
  shown: readonly Diagnostic[],
): Diagnostic[] {
  const oxlint = `poolguard(${rule.replace('poolguard/', '')})`;
  // ESLint’s extension hands on what ESLint counts.
  const { line, column } = place.start;
  const starts = [locationOf({ place }).range.start, { line: line - 1, character: column }];
  return shown.filter(({ code, range: { start } }) =>
    starts.some(
      (each) =>
        start.line === each.line &&
        ((code === rule && start.character === each.character) || code === oxlint),
    ),
  );
}
