import pc from 'picocolors';
import { version } from '../../../package.json';
import { formatAsEslintJson } from '../formats/eslint-json.ts';
import type { LintResult } from '../formats/lint-result.ts';
import { formatAsSarif } from '../formats/sarif.ts';
import { formatStylish, formatSummary } from '../formats/stylish.ts';

/** The last lines of the report for people, for those who wrote the report to a file. */
export const lintSummary = (result: LintResult, isColored: boolean): string =>
  formatSummary(result, pc.createColors(isColored));

/** What a linter's findings can be written as, a row each. Only a terminal has colours. */
export const lintFormats = {
  stylish: (result: LintResult, isColored: boolean) =>
    formatStylish(result, pc.createColors(isColored)),
  json: (result: LintResult) => formatAsEslintJson(result),
  sarif: (result: LintResult) => formatAsSarif(result, version),
};
