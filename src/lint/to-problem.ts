import type { Linter } from 'eslint';
import type { Finding, PathStep } from '../../rules/checks/finding.ts';
import { spanOf, type Fix, type Problem, type Step } from './problem.ts';
import { prefix } from './plugin.ts';

/** Joins ESLint's messages to the findings behind them, which know the path to the harm. */
export function toProblems(
  messages: readonly Linter.LintMessage[],
  findings: readonly Finding[],
): Problem[] {
  const waiting = groupByPlace(findings);
  return messages.map((message) => toProblem(message, waiting.get(keyOfMessage(message))?.shift()));
}

/** Two findings of one rule at one place keep their order: ESLint's sort is stable. */
function groupByPlace(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = keyOfFinding(finding);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return groups;
}

/** A finding counts columns from 0 (ESTree), a message from 1. */
function keyOfFinding({ rule, place: { start } }: Finding): string {
  return `${rule.replace(prefix, '')} ${start.line}:${start.column + 1}`;
}

function keyOfMessage({ ruleId, line, column }: Linter.LintMessage): string {
  return `${(ruleId ?? '').replace(prefix, '')} ${line}:${column}`;
}

function toProblem(message: Linter.LintMessage, finding: Finding | undefined): Problem {
  const { line, column } = placeOf(message);
  return {
    rule: message.fatal ? null : message.ruleId,
    severity: message.severity === 2 ? 'error' : 'warning',
    message: sentenceOf(message),
    line,
    column,
    endLine: message.endLine ?? line,
    endColumn: message.endColumn ?? column,
    steps: (finding?.steps ?? []).map(toStep),
    fixes: fixesOf(message),
  };
}

/** A parser that fails without a place, as one whose stack is full, leaves both undefined, whatever the type says; that of TypeScript counts its columns from 0. */
function placeOf({ line, column }: Partial<Linter.LintMessage>): {
  readonly line: number;
  readonly column: number;
} {
  return { line: line ?? 1, column: Math.max(1, column ?? 1) };
}

/** How ESLint begins the message of a parser's failure. */
export const parsingFailed = 'Parsing error: ';

function sentenceOf({ fatal, message }: Linter.LintMessage): string {
  if (fatal !== true || !message.startsWith(parsingFailed)) return message;
  return `The file was not checked because of a syntax error: ${message.slice(parsingFailed.length).replace(/\.?$/u, '.')}`;
}

function toStep({ place, text, file }: PathStep): Step {
  return { ...spanOf(place), message: text, ...(file === undefined ? {} : { file }) };
}

function fixesOf({ ruleId, fix, suggestions }: Linter.LintMessage): Fix[] {
  const own = fix
    ? [{ title: `Fix this ${ruleId ?? ''} problem`, range: fix.range, text: fix.text }]
    : [];
  const suggested = (suggestions ?? []).map((each) => ({
    ...(each.messageId === undefined ? {} : { kind: each.messageId }),
    title: each.desc.replace(/\.$/u, ''),
    range: each.fix.range,
    text: each.fix.text,
  }));
  return [...own, ...suggested];
}
