import { toPlainText } from '../../activity/plain-text.ts';
import type { ReportedResult } from '../../probe/result.ts';
import type { Sheet } from '../sheet.ts';
import { adviseSheet } from './advise-sheet.ts';
import { compareSheet } from './compare-sheet.ts';
import { connectSheet } from './connect-sheet.ts';
import { k6Sheet } from './k6-sheet.ts';
import { rampSheet } from './ramp-sheet.ts';
import { sizeSheet } from './size-sheet.ts';
import { spikeSheet } from './spike-sheet.ts';
import { sweepSheet } from './sweep-sheet.ts';
import { usersSheet } from './users-sheet.ts';

type Sheets = {
  readonly [Kind in ReportedResult['experiment']]: (
    result: Extract<ReportedResult, { experiment: Kind }>,
  ) => Sheet;
};

/** Every kind of result: a row each. */
const sheets: Sheets = {
  size: sizeSheet,
  users: usersSheet,
  connect: connectSheet,
  compare: compareSheet,
  ramp: rampSheet,
  spike: spikeSheet,
  advise: adviseSheet,
  k6: k6Sheet,
  sweep: sweepSheet,
};

/** What a report says of a result, whatever its format. */
export function toSheet(result: ReportedResult): Sheet {
  const sheet = sheets[result.experiment] as (result: ReportedResult) => Sheet;
  return sheet(result);
}

/** What a report says first, as one line of plain text: the verdict, and behind it the figures to remember, as in "(max 3, interval 2 to 4)". */
export function headlineOf(result: ReportedResult): string {
  const { title, verdict, facts } = toSheet(result);
  const said = verdict === null ? [title] : [verdict.title, ...verdict.sentences];
  const figures = facts.map(({ label, value }) => `${label} ${value}`).join(', ');
  return toPlainText(`${said.join(' ')}${figures === '' ? '' : ` (${figures})`}`);
}
