import pc from 'picocolors';
import { version } from '../../package.json';
import { formatAsEslintJson } from './formats/eslint-json.ts';
import type { LintResult } from './formats/lint-result.ts';
import { formatAsSarif } from './formats/sarif.ts';
import { formatStylish } from './formats/stylish.ts';

/** What a linter's findings can be written as, a row each. Only a terminal has colours. */
export const lintFormats = {
  stylish: (result: LintResult, isColored: boolean) =>
    formatStylish(result, pc.createColors(isColored)),
  json: (result: LintResult) => formatAsEslintJson(result),
  sarif: (result: LintResult) => formatAsSarif(result, version),
};
