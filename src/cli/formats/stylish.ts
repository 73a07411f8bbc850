import { relative } from 'node:path';
import type pc from 'picocolors';
import type { LintedFile } from '../../lint/linter.ts';
import type { PathStep, Place } from '../../../rules/index.ts';
import type { Problem } from '../../lint/problem.ts';
import type { LintResult } from './lint-result.ts';
import { toPlainLines, toPlainText } from '../../activity/plain-text.ts';
import { wrapWords } from '../../text/terminal-width.ts';
import { lineDiff } from './line-diff.ts';
import { countProblems, failedFiles, type FailedFile } from './lint-result.ts';

type Colors = ReturnType<typeof pc.createColors>;

export interface StylishView {
  readonly colors: Colors;
  /** Width of the terminal; null when the output goes elsewhere. */
  readonly columns: number | null;
}

/** For people: problems by file, below each the path to the harm. */
export function formatStylish(result: LintResult, view: StylishView): string {
  const files = result.files.filter(({ problems }) => problems.length > 0);
  const fixed = result.isDryRun === true ? result.files : [];
  return [
    ...fixed.flatMap((file) => formatFixed(file, result.cwd, view.colors)),
    ...files.map((file) => formatFile(file, result.cwd, view)),
    formatSummary(result, view),
  ].join('\n');
}

/** What would change in a file, as `diff -u` shows it. */
function formatFixed({ path, text, fixed }: LintedFile, cwd: string, colors: Colors): string[] {
  if (fixed === undefined) return [];
  const name = shownPath(path, cwd);
  const paint = { '-': colors.red, '+': colors.green, '@': colors.cyan };
  const lines = `--- ${name}\n+++ ${name}\n${lineDiff(fixed.from, text)}`.split('\n');
  return [
    lines
      .map((line) => (paint[line.charAt(0) as keyof typeof paint] ?? String)(toPlainLines(line)))
      .join('\n'),
  ];
}

function formatFile({ path, problems }: LintedFile, cwd: string, view: StylishView): string {
  const width = Math.max(...problems.map(({ place }) => formatPlace(place).length));
  const blocks = problems.map((problem) =>
    formatProblem(problem, formatPlace(problem.place).padStart(width), cwd, view),
  );
  return `${view.colors.underline(shownPath(path, cwd))}\n${blocks.join('')}`;
}

function formatPlace({ start: { line, column } }: Place): string {
  return `${line}:${column + 1}`;
}

function formatProblem(
  { severity, message, rule, steps }: Problem,
  place: string,
  cwd: string,
  { colors, columns }: StylishView,
): string {
  const word = severity === 'error' ? colors.red('error  ') : colors.yellow('warning');
  const indent = place.length + 4;
  const head = `  ${colors.dim(place)}  ${word}  ${toPlainText(message)}${rule === null ? '' : `  ${colors.dim(rule)}`}`;
  const lines = steps.map((step) => `${' '.repeat(indent)}${formatStep(step, cwd, colors)}`);
  return [
    wrapWords(head, columns, indent),
    ...lines.map((line) => wrapWords(line, columns, indent + 2)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function formatStep({ place, text, file }: PathStep, cwd: string, colors: Colors): string {
  const where = `${file === undefined ? 'line ' : `${shownPath(file, cwd)}:`}${formatPlace(place)}`;
  return `${colors.dim(`↳ ${where}`)}  ${toPlainText(text)}`;
}

/** What ends the report: how many problems in how many files, and the files that could not be analysed. */
export function formatSummary({ files, cwd }: LintResult, view: StylishView): string {
  const failed = failedFiles(files);
  const checked = `${count(files.length - failed.length, 'file')} checked`;
  return formatCounts(files, checked, view) + formatFailed(failed, cwd, view);
}

function formatCounts(
  files: readonly LintedFile[],
  checked: string,
  { colors, columns }: StylishView,
): string {
  const { errors, warnings } = countProblems(files);
  if (errors + warnings === 0) return `${colors.green('✔')} No problems, ${checked}.\n`;
  const total = wrapWords(
    `✖ ${count(errors + warnings, 'problem')} (${count(errors, 'error')}, ${count(warnings, 'warning')}), ${checked}.`,
    columns,
    2,
  );
  return `${errors > 0 ? colors.red(total) : colors.yellow(total)}\n`;
}

/** "1 file could not be analysed: src/db.ts: Maximum call stack size exceeded" */
function formatFailed(
  failed: readonly FailedFile[],
  cwd: string,
  { colors, columns }: StylishView,
): string {
  if (failed.length === 0) return '';
  const each = failed.map(
    ({ path, mistake }) => `${shownPath(path, cwd)}: ${toPlainText(mistake.message)}`,
  );
  const total = colors.yellow(`${count(failed.length, 'file')} could not be analysed:`);
  return each.length === 1
    ? `${wrapWords(`${total} ${each.join('')}`, columns, 2)}\n`
    : [total, ...each.map((line) => wrapWords(`  ${line}`, columns, 4)), ''].join('\n');
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** File names are as hostile as file contents. */
function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return toPlainText(way.startsWith('..') || way === '' ? path : way);
}
