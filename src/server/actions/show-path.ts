import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { findingCommands } from '../../contributions.ts';
import { toLocation } from '../to-diagnostics.ts';
import { shownFor } from './attached.ts';
import type { RuleProblem } from './disable-comments.ts';

const title = 'Show the path of this client';

/** A command of our editor side for each place with a path, attached to whichever diagnostic is `shown` for it. */
export function pathActions(
  uri: string,
  problems: readonly RuleProblem[],
  shown: readonly Diagnostic[],
): CodeAction[] {
  const byPlace = new Map(
    problems
      .filter(({ steps }) => steps.length > 0)
      .map((problem) => [`${problem.line} ${problem.column}`, problem]),
  );
  return [...byPlace.values()].map((problem) => {
    const places = problem.steps.map((step) => toLocation(step, uri));
    return {
      title,
      kind: 'quickfix',
      diagnostics: shownFor(problem, shown),
      command: { title, command: findingCommands.showPath, arguments: [places] },
    };
  });
}
