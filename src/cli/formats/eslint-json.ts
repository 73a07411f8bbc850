import type { ESLint, Linter } from 'eslint';
import type { LintedFile } from '../../lint/linter.ts';
import type { Fix, Problem } from '../../lint/problem.ts';
import { toJson } from '../../text/to-json.ts';
import { failedFiles, type LintResult } from './lint-result.ts';

/** ESLint's own JSON, so that every tool that reads `eslint --format json` reads ours; `notAnalysed` says of a file why nothing is known of it. */
export function formatAsEslintJson({ files }: LintResult): string {
  const failed = new Map(failedFiles(files).map(({ path, mistake }) => [path, mistake.message]));
  const results = files.map((file) => {
    const notAnalysed = failed.get(file.path);
    return { ...toEslintResult(file), ...(notAnalysed === undefined ? {} : { notAnalysed }) };
  });
  return `${toJson(results)}\n`;
}

function toEslintResult({
  path,
  text,
  problems,
  suppressed,
  fixed,
}: LintedFile): ESLint.LintResult {
  const messages = problems.map(toMessage);
  const errors = messages.filter(({ severity }) => severity === 2);
  return {
    filePath: path,
    messages,
    suppressedMessages: suppressed.map((problem) => ({
      ...toMessage(problem),
      suppressions: [...problem.suppressions],
    })),
    errorCount: errors.length,
    fatalErrorCount: errors.filter(({ fatal }) => fatal === true).length,
    warningCount: messages.length - errors.length,
    // All that these rules offer is for the reader to choose.
    fixableErrorCount: 0,
    fixableWarningCount: 0,
    ...(fixed === undefined ? {} : { output: text }),
    // ESLint leaves the source out of clean and of fixed files too.
    ...(messages.length > 0 && fixed === undefined ? { source: text } : {}),
    usedDeprecatedRules: [],
  };
}

/** In the order of ESLint's fields. */
export function toMessage(problem: Problem): Linter.LintMessage {
  const { rule, severity, message, messageId, place, fixes } = problem;
  const { start, end } = place;
  const isFatal = rule === null && severity === 'error';
  return {
    ruleId: rule,
    ...(isFatal ? { fatal: true } : {}),
    severity: severity === 'error' ? 2 : 1,
    message,
    line: start.line,
    column: start.column + 1,
    ...(messageId === undefined ? {} : { messageId }),
    endLine: end.line,
    endColumn: end.column + 1,
    ...(fixes.length === 0 ? {} : { suggestions: fixes.map(toSuggestion) }),
  };
}

function toSuggestion({ kind, title, range, text }: Fix): Linter.LintSuggestion {
  return {
    ...(kind === undefined ? {} : { messageId: kind }),
    desc: `${title}.`,
    fix: { range: [...range], text },
  };
}
