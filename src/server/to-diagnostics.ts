import type { Diagnostic, DiagnosticRelatedInformation, Range } from 'vscode-languageserver';
import type { Problem, Span, Step } from '../lint/problem.ts';
import { uriOfPath } from './path-of-document.ts';

/** The section of the settings, and the source of every diagnostic. */
export const section = 'poolguard';

const severities = { error: 1, warning: 2 } as const;

/**
 * What the editor underlines. A file that does not parse gets nothing: the editor's own language support
 * already shows where, and a half-typed line is no pool problem.
 * @param urlOf the page about a rule
 */
export function toDiagnostics(problems: readonly Problem[], uri: string, urlOf: (rule: string) => string | undefined): Diagnostic[] {
  return problems.flatMap((problem) => (problem.rule === null ? [] : [toDiagnostic(problem, problem.rule, uri, urlOf)]));
}

function toDiagnostic(problem: Problem, rule: string, uri: string, urlOf: (rule: string) => string | undefined): Diagnostic {
  const href = urlOf(rule);
  return {
    source: section,
    code: rule,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    severity: severities[problem.severity],
    range: toRange(problem),
    message: problem.message,
    relatedInformation: problem.steps.map((step) => toRelated(step, uri)),
  };
}

function toRelated(step: Step, uri: string): DiagnosticRelatedInformation {
  const place = step.file === undefined ? uri : uriOfPath(step.file);
  return { location: { uri: place, range: toRange(step) }, message: step.message };
}

/** Problems count from 1, the protocol from 0. */
export function toRange({ line, column, endLine, endColumn }: Span): Range {
  return { start: { line: line - 1, character: column - 1 }, end: { line: endLine - 1, character: endColumn - 1 } };
}
