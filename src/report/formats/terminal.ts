import pc from 'picocolors';
import { toPlainText } from '../../activity/plain-text.ts';
import { wrapWords } from '../../text/terminal-width.ts';
import { describeErrors } from '../units.ts';
import type { Fact, Section, Report, ReportVerdict, Tone } from '../report.ts';
import { terminalTable } from './terminal-table.ts';

export interface TerminalOptions {
  readonly isColored: boolean;
  /** Of the terminal; null for output that goes elsewhere, which is not wrapped. */
  readonly columns: number | null;
}

type Colors = ReturnType<typeof pc.createColors>;

/** For a terminal: the tables first and the answer last, where it stands above the prompt. Ends with a line break. */
export function writeTerminal(report: Report, options: TerminalOptions): string {
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
  } = report;
  const wrap = (text: string) => wrapWords(toPlainText(text), options.columns);
  const blocks = [
    [wrap(place.join(', ')), ...statements.map((text) => colors.dim(wrap(text)))].join('\n'),
    ...sections
      .filter(({ tables = [], sentences = [] }) => tables.length + sentences.length > 0)
      .map((section, index) => writeSection(section, index > 0, colors, options)),
    verdict === null ? '' : writeVerdict(verdict, colors, options.columns),
    facts.map((fact) => writeFact(fact, widestLabel(report), colors, options)).join('\n'),
    ...snippets.map(({ language, text }) =>
      colors.green(
        text
          .split('\n')
          .map((line) => writeCode(line, language === 'js' ? 0 : 2, options))
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
  { tone, title, sentences }: ReportVerdict,
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

function widestLabel({ facts }: Report): number {
  return Math.max(0, ...facts.map(({ label }) => label.length));
}

/** What does not fit goes on below the value. */
function writeFact(
  { label, value, detail = '' }: Fact,
  labelWidth: number,
  colors: Colors,
  { columns }: TerminalOptions,
): string {
  const head = `${toPlainText(label).padEnd(labelWidth)}  ${colors.bold(toPlainText(value))}`;
  const text = detail === '' ? head : `${head}  ${colors.dim(toPlainText(detail))}`;
  return wrapWords(text, columns, labelWidth + 2);
}

const comment = '// ';

/** Blanks at the start of a line of code are kept, which plain text has as one. Comments are broken to further comments; code stays whole. */
function writeCode(line: string, more: number, { columns }: TerminalOptions): string {
  const code = line.trimStart();
  const text = `${' '.repeat(more + line.length - code.length)}${toPlainText(code)}`;
  if (columns === null || !code.startsWith(comment)) return text;
  const start = text.slice(0, text.indexOf(comment) + comment.length);
  const words = wrapWords(text.slice(start.length), columns - start.length);
  return `${start}${words.replaceAll('\n', `\n${start}`)}`;
}
