import type { Diagnostic, Location } from 'vscode-languageserver';
import type { PathStep } from '../../rules/index.ts';
import { toPlainText } from '../activity/plain-text.ts';
import { positionsIn, type Positions } from '../lint/positions.ts';
import type { Problem } from '../lint/problem.ts';
import { uriOfPath } from './path-of-document.ts';
import { section } from './section.ts';

const severities = { error: 1, warning: 2 } as const;

/** Where a problem, or a step of its path, is in the editor. */
export type LocationOf = (at: Pick<PathStep, 'place' | 'file'>) => Location;

/** The locations of what is said of a document; `beside` has the texts of the files that steps lie in. */
export function locationsIn(
  uri: string,
  own: Positions,
  beside: ReadonlyMap<string, string>,
): LocationOf {
  const others = new Map([...beside].map(([file, text]) => [file, positionsIn(text)]));
  return ({ place, file }) =>
    file === undefined
      ? { uri, range: own.ofPlace(place) }
      : { uri: uriOfPath(file), range: others.get(file)?.ofPlace(place) ?? asWritten(place) };
}

/** Without its text: right for what has lines as everybody counts them. */
function asWritten({ start, end }: PathStep['place']): Location['range'] {
  return {
    start: { line: start.line - 1, character: start.column },
    end: { line: end.line - 1, character: end.column },
  };
}

/**
 * What the editor underlines. A file that does not parse gets nothing: the editor's own language support
 * already shows where, and a half-typed line is no pool problem.
 * @param urlOf the page about a rule
 */
export function toDiagnostics(
  problems: readonly Problem[],
  locationOf: LocationOf,
  urlOf: (rule: string) => string | undefined,
): Diagnostic[] {
  return problems.flatMap((problem) => {
    const { rule, severity, message, steps } = problem;
    if (rule === null) return [];
    const href = urlOf(rule);
    return {
      source: section,
      code: rule,
      ...(href === undefined ? {} : { codeDescription: { href } }),
      severity: severities[severity],
      range: locationOf(problem).range,
      message: toPlainText(message),
      relatedInformation: steps.map((step) => ({
        location: locationOf(step),
        message: toPlainText(step.text),
      })),
    };
  });
}
