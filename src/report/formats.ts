import { jsonText } from '../activity/export-text.ts';
import type { ReportedResult } from '../probe/result.ts';
import { writeCsv } from './formats/csv.ts';
import { writeHtml } from './formats/html.ts';
import { writeMarkdown } from './formats/markdown.ts';
import { writeTerminal, type TerminalOptions } from './formats/terminal.ts';
import { toSheet } from './sheets/to-sheet.ts';

interface Format {
  /** Endings of files that are meant to hold it, with the dot. */
  readonly extensions: readonly string[];
  readonly write: (result: ReportedResult, options: TerminalOptions) => string;
}

/** Every way to write a result: a row each. Each text ends with a line break. */
export const formats = {
  terminal: { extensions: ['.txt'], write: (result, options) => writeTerminal(toSheet(result), options) },
  markdown: { extensions: ['.md', '.markdown'], write: (result) => writeMarkdown(toSheet(result)) },
  json: { extensions: ['.json'], write: jsonText },
  csv: { extensions: ['.csv'], write: (result) => writeCsv(toSheet(result)) },
  html: { extensions: ['.html', '.htm'], write: (result) => writeHtml(toSheet(result)) },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly FormatName[];

/** The format that a file's name asks for; undefined for a name that says nothing. */
export function formatOfFile(path: string): FormatName | undefined {
  return formatNames.find((name) => formats[name].extensions.some((extension) => path.toLowerCase().endsWith(extension)));
}
