import { markdownSentence } from '../../activity/export-text.ts';
import { toPlainLines } from '../../activity/plain-text.ts';
import { escapeHidden } from '../../text/hidden.ts';
import {
  formatCell,
  isFigure,
  type Section,
  type Report,
  type Snippet,
  type Table,
  usedColumns,
} from '../report.ts';
import { describeErrors } from '../units.ts';

/** For a pull request or a wiki: GitHub's Markdown, with what depends on the database made harmless. Ends with a line break. */
export function writeMarkdown(report: Report): string {
  const {
    title,
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
  const blocks = [
    `## ${markdownSentence(title)}`,
    place.map(markdownSentence).join(' · '),
    ...(verdict === null
      ? []
      : [
          `**${markdownSentence(verdict.title)}** ${verdict.sentences.map(markdownSentence).join(' ')}`,
        ]),
    facts
      .map(
        ({ label, value, detail }) =>
          `- ${markdownSentence(label)}: **${markdownSentence(value)}**${detail === undefined ? '' : ` ${markdownSentence(detail)}`}`,
      )
      .join('\n'),
    ...snippets.flatMap(writeSnippet),
    ...statements.map((text) => fence('sql', text)),
    ...sections.flatMap(writeSection),
    ...(Object.keys(errors).length === 0
      ? []
      : [`Failed: ${markdownSentence(describeErrors(errors))}.`]),
    ...alarms.map((alarm) => `**${markdownSentence(alarm)}**`),
    notes.map((note) => `- ${markdownSentence(note)}`).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function writeSnippet({ title, language, text }: Snippet): readonly string[] {
  return [`${markdownSentence(title)}:`, fence(language, text)];
}

function writeSection({ title, tables = [], sentences = [] }: Section): readonly string[] {
  return [
    `### ${markdownSentence(title)}`,
    ...tables.map(writeTable),
    ...sentences.map(markdownSentence),
  ];
}

function writeTable(table: Table): string {
  const used = usedColumns(table);
  const columns = used.flatMap((index) => table.columns[index] ?? []);
  const head = `| ${columns.map(({ label }) => markdownSentence(label)).join(' | ')} |`;
  const rule = `|${columns.map((column) => (isFigure(column) ? '---:' : '---')).join('|')}|`;
  const rows = table.rows.map(({ cells, mark }) => {
    const texts = used.map((index) =>
      markdownSentence(formatCell(cells[index] ?? null, table.columns[index]?.unit ?? 'text')),
    );
    return `| ${texts.map((text, index) => (mark !== undefined && index === 0 ? `**${text}** (${markdownSentence(mark)})` : text)).join(' | ')} |`;
  });
  return [head, rule, ...rows].join('\n');
}

/** Marks of the text would be taken for those of the page; more backticks than it has end it safely. */
function fence(language: string, text: string): string {
  const lines = toPlainLines(escapeHidden(text));
  const longest = Math.max(2, ...(lines.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${lines}\n${marks}`;
}
