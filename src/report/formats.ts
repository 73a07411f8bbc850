import type { ReportedResult } from '../probe/result.ts';
import { toJson } from '../text/to-json.ts';
import { writeCsv } from './formats/csv.ts';
import { writeHtml } from './html/sections.ts';
import { writeMarkdown } from './formats/markdown.ts';
import { writeTerminal, type TerminalOptions } from './formats/terminal.ts';
import { toReport } from './reports/to-report.ts';

interface Format {
  /** Endings of files that are meant to hold it, with the dot. */
  readonly extensions: readonly [usual: `.${string}`, ...others: string[]];
  /** Only a terminal has options. */
  readonly write: (result: ReportedResult, options?: TerminalOptions) => string;
}

/** A row each. */
const table = {
  terminal: {
    extensions: ['.txt'],
    write: (result, options = { isColored: false, columns: null }) =>
      writeTerminal(toReport(result), options),
  },
  markdown: {
    extensions: ['.md', '.markdown'],
    write: (result) => writeMarkdown(toReport(result)),
  },
  json: { extensions: ['.json'], write: (result) => `${toJson(result, 2)}\n` },
  csv: { extensions: ['.csv'], write: (result) => writeCsv(toReport(result)) },
  html: { extensions: ['.html', '.htm'], write: (result) => writeHtml(toReport(result)) },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof table;

/** Every way to write a result. Each text ends with a line break. */
export const formats: Readonly<Record<FormatName, Format>> = table;

export const formatNames = Object.keys(formats) as readonly FormatName[];

/** The format that a file's name asks for; undefined for a name that says nothing. */
export function formatOfFile(path: string): FormatName | undefined {
  return formatNames.find((name) =>
    formats[name].extensions.some((extension: string) => path.toLowerCase().endsWith(extension)),
  );
}
