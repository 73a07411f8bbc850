import { toPlainText } from '../activity/plain-text.ts';
import type { ReportedResult } from '../probe/result.ts';
import { toSheet } from './sheets/to-sheet.ts';

/** What a report says first, as one line of plain text: the verdict, and behind it the figures to remember, as in "(max 3, interval 2 to 4)". */
export function headlineOf(result: ReportedResult): string {
  const { title, verdict, facts } = toSheet(result);
  const said = verdict === null ? [title] : [verdict.title, ...verdict.sentences];
  const figures = facts.map(({ label, value }) => `${label} ${value}`).join(', ');
  return toPlainText(`${said.join(' ')}${figures === '' ? '' : ` (${figures})`}`);
}
