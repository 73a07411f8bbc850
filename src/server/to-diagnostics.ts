import type { Diagnostic, DiagnosticRelatedInformation, Location } from 'vscode-languageserver';
import { toPlainText } from '../activity/plain-text.ts';
import { section } from './section.ts';
import type { PlacedProblem, PlacedStep } from '../lint/placed-problem.ts';
import { uriOfPath } from './path-of-document.ts';

const severities = { error: 1, warning: 2 } as const;

/**
 * What the editor underlines. A file that does not parse gets nothing: the editor's own language support
 * already shows where, and a half-typed line is no pool problem.
 * @param urlOf the page about a rule
 */
export function toDiagnostics(
  problems: readonly PlacedProblem[],
  uri: string,
  urlOf: (rule: string) => string | undefined,
): Diagnostic[] {
  return problems.flatMap((problem) =>
    problem.rule === null ? [] : [toDiagnostic(problem, problem.rule, uri, urlOf)],
  );
}

function toDiagnostic(
  problem: PlacedProblem,
  rule: string,
  uri: string,
  urlOf: (rule: string) => string | undefined,
): Diagnostic {
  const href = urlOf(rule);
  return {
    source: section,
    code: rule,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    severity: severities[problem.severity],
    range: problem.range,
    message: toPlainText(problem.message),
    relatedInformation: problem.steps.map((step) => toRelated(step, uri)),
  };
}

function toRelated(step: PlacedStep, uri: string): DiagnosticRelatedInformation {
  return { location: toLocation(step, uri), message: toPlainText(step.message) };
}

/** Where a step is; those of another file say so. */
export function toLocation({ file, range }: PlacedStep, uri: string): Location {
  return { uri: file === undefined ? uri : uriOfPath(file), range };
}
