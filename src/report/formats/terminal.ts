import pc from 'picocolors';
import { toPlainText } from '../../activity/plain-text.ts';
import { describeErrors } from '../units.ts';
import type { Section, Sheet, SheetVerdict, Tone } from '../sheet.ts';
import { terminalTable } from './terminal-table.ts';

export interface TerminalOptions {
  readonly isColored: boolean;
  /** Of the terminal; null for output that goes elsewhere, which is not wrapped. */
  readonly columns: number | null;
}

type Colors = ReturnType<typeof pc.createColors>;

/** For a terminal: the tables first and the answer last, where it stands above the prompt. Ends with a line break. */
export function writeTerminal(sheet: Sheet, options: TerminalOptions): string {
  const colors = pc.createColors(options.isColored);
  const {
    place,
    statements,
    verdict,
    facts,
    snippets,
    sections,
    errors,
    alarms = [],
    notes,
  } = sheet;
  const wrap = (text: string) => wrapWords(toPlainText(text), options.columns);
  const blocks = [
    [wrap(place.join(', ')), ...statements.map((text) => colors.dim(toPlainText(text)))].join('\n'),
    ...sections
      .filter(({ tables = [], sentences = [] }) => tables.length + sentences.length > 0)
      .map((section, index) => writeSection(section, index > 0, colors, options)),
    verdict === null ? '' : writeVerdict(verdict, colors, options.columns),
    facts
      .map(
        ({ label, value, detail = '' }) =>
          `${toPlainText(label).padEnd(widestLabel(sheet))}  ${colors.bold(toPlainText(value))}${detail === '' ? '' : `  ${colors.dim(toPlainText(detail))}`}`,
      )
      .join('\n'),
    ...snippets.map(({ language, text }) =>
      colors.green(
        text
          .split('\n')
          .map((line) => indented(line, language === 'js' ? 0 : 2))
          .join('\n'),
      ),
    ),
    Object.keys(errors).length === 0 ? '' : wrap(`Failed statements: ${describeErrors(errors)}.`),
    ...alarms.map((alarm) => tones.bad(colors)(wrap(alarm))),
    notes.map((note) => colors.dim(wrap(`Note: ${note}`))).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const tones: Readonly<Record<Tone, (colors: Colors) => (text: string) => string>> = {
  good:
    ({ green, bold }) =>
    (text) =>
      bold(green(text)),
  warn:
    ({ yellow, bold }) =>
    (text) =>
      bold(yellow(text)),
  bad:
    ({ red, bold }) =>
    (text) =>
      bold(red(text)),
  neutral: ({ bold }) => bold,
};

function writeVerdict(
  { tone, title, sentences }: SheetVerdict,
  colors: Colors,
  columns: number | null,
): string {
  const plain = toPlainText(title);
  const text = wrapWords(`${plain}  ${toPlainText(sentences.join(' '))}`, columns);
  return `${tones[tone](colors)(plain)}${text.slice(plain.length)}`;
}

/** The first section needs no title: it is what was asked for. */
function writeSection(
  { title, tables = [], sentences = [] }: Section,
  isTitled: boolean,
  colors: Colors,
  { columns }: TerminalOptions,
): string {
  return [
    ...(isTitled ? [colors.bold(toPlainText(title))] : []),
    ...tables.map((table) => terminalTable(table, colors, columns)),
    ...sentences.map((sentence) => wrapWords(toPlainText(sentence), columns)),
  ].join('\n');
}

function widestLabel({ facts }: Sheet): number {
  return Math.max(0, ...facts.map(({ label }) => label.length));
}

/** Blanks at the start of a line of code are kept, which plain text has as one. */
function indented(line: string, more: number): string {
  return `${' '.repeat(more + line.length - line.trimStart().length)}${toPlainText(line.trimStart())}`;
}

/** Breaks a line between words, and not before "%", so that none is longer than that; null breaks nowhere. */
function wrapWords(text: string, columns: number | null): string {
  if (columns === null || text.length <= columns) return text;
  const room = Math.max(20, columns);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S) (?!%)/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word.trimStart();
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}
