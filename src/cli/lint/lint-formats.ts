import pc from 'picocolors';
import { version } from '../../../package.json';
import { formatAsEslintJson } from '../formats/eslint-json.ts';
import type { LintResult } from '../formats/lint-result.ts';
import { formatAsSarif } from '../formats/sarif.ts';
import { formatStylish, formatSummary, type StylishView } from '../formats/stylish.ts';

export interface LintView {
  readonly isColored: boolean;
  /** Width of the terminal; null when the output goes elsewhere. */
  readonly columns: number | null;
}

/** The last lines of the report for people, for those who wrote the report to a file. */
export const lintSummary = (result: LintResult, view: LintView): string =>
  formatSummary(result, toStylishView(view));

/** What a linter's findings can be written as, a row each. Only a terminal has colours and a width. */
export const lintFormats = {
  stylish: (result: LintResult, view: LintView) => formatStylish(result, toStylishView(view)),
  json: (result: LintResult) => formatAsEslintJson(result),
  sarif: (result: LintResult) => formatAsSarif(result, version),
};

function toStylishView({ isColored, columns }: LintView): StylishView {
  return { colors: pc.createColors(isColored), columns };
}
