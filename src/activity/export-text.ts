import { escapeHidden } from '../text/hidden.ts';
import { shorten, toPlainLines, toPlainText } from './plain-text.ts';

/** RFC 4180; the header is a row like the others. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet takes text that begins with one of these for a formula; an apostrophe before it makes it text. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = toPlainLines(escapeHidden(withoutFormula(value)));
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const longestInTable = 300;

/** A line for each row, to paste into a spreadsheet or a text. */
export function tabbedText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((text) => withoutFormula(oneLine(text))).join('\t')).join('\n');
}

function withoutFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** For a cell, cut to what a table can hold. */
export function markdownText(value: string | null): string {
  return markdownSentence(shorten(oneLine(value ?? ''), longestInTable));
}

/** Where a reader would begin a link, which swallows the marks that follow, stands a mark as well. */
export function markdownSentence(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~&!$@]|:(?=\/)|(?<=www)\./gi, '\\$&');
}

/**
 * In backticks, more of them than stand together anywhere in the text; a bar would end the cell even there.
 * What a backslash before a bar means is where readers differ, so that such a text has its marks escaped instead.
 */
export function markdownCode(value: string): string {
  const text = shorten(oneLine(value), longestInTable);
  if (text === '' || text.includes('\\|')) return markdownText(value);
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longestRun + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`;
}

function oneLine(text: string): string {
  return toPlainText(escapeHidden(text)).trim();
}
