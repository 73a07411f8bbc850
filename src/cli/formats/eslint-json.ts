import type { ESLint, Linter } from 'eslint';
import type { LintedFile } from '../../lint/linter.ts';
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
  messages,
  suppressedMessages,
  fixed,
}: LintedFile): ESLint.LintResult {
  const errors = messages.filter(({ severity }) => severity === 2);
  const warnings = messages.filter(({ severity }) => severity === 1);
  return {
    filePath: path,
    messages: [...messages],
    suppressedMessages: [...suppressedMessages],
    errorCount: errors.length,
    fatalErrorCount: errors.filter(({ fatal }) => fatal === true).length,
    warningCount: warnings.length,
    fixableErrorCount: errors.filter(isFixable).length,
    fixableWarningCount: warnings.filter(isFixable).length,
    ...(fixed === undefined ? {} : { output: text }),
    // ESLint leaves the source out of clean and of fixed files too.
    ...(messages.length > 0 && fixed === undefined ? { source: text } : {}),
    usedDeprecatedRules: [],
  };
}

function isFixable({ fix }: Linter.LintMessage): boolean {
  return fix !== undefined;
}
