import { shorten, toPlainLines, toPlainText } from './plain-text.ts';

/** JSON escapes control characters by itself; what reorders text or ends lines in some readers is escaped as well. */
export function jsonText(value: unknown): string {
  const escaped = JSON.stringify(value, null, 2).replace(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}

/** RFC 4180; the header is a row like the others. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet takes text that begins with one of these for a formula; an apostrophe before it makes it text. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = `${formula.test(value) ? "'" : ''}${toPlainLines(value)}`;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const longestInTable = 300;

/** For a cell, cut to what a table can hold. */
export function markdownText(value: string | null): string {
  return markdownSentence(shorten(toPlainText(value ?? '').trim(), longestInTable));
}

/** Where a reader would begin a link, which swallows the marks that follow, stands a mark as well. */
export function markdownSentence(text: string): string {
  return toPlainText(text)
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!$@]|:(?=\/)|(?<=www)\./gi, '\\$&');
}

/**
 * In backticks, more of them than stand together anywhere in the text; a bar would end the cell even there.
 * What a backslash before a bar means is where readers differ, so that such a text has its marks escaped instead.
 */
export function markdownCode(value: string): string {
  const text = shorten(toPlainText(value).trim(), longestInTable);
  if (text === '' || text.includes('\\|')) return markdownText(value);
  const longestRun = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longestRun + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text.replaceAll('|', '\\|')}${space}${fence}`;
}
