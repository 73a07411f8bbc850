import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { findingCommands } from '../../contributions.ts';
import type { LocationOf } from '../to-diagnostics.ts';
import { shownFor } from './attached.ts';
import type { RuleProblem } from './disable-comments.ts';

const title = 'Show the path of this client';

/** A command of our editor side for each place with a path, attached to whichever diagnostic is `shown` for it. */
export function pathActions(
  problems: readonly RuleProblem[],
  locationOf: LocationOf,
  shown: readonly Diagnostic[],
): CodeAction[] {
  const byPlace = new Map(
    problems
      .filter(({ steps }) => steps.length > 0)
      .map((problem) => [`${problem.place.start.line} ${problem.place.start.column}`, problem]),
  );
  return [...byPlace.values()].map((problem) => {
    return {
      title,
      kind: 'quickfix',
      diagnostics: shownFor(problem, locationOf, shown),
      command: {
        title,
        command: findingCommands.showPath,
        arguments: [problem.steps.map(locationOf)],
      },
    };
  });
}
