import { toPlainText } from '../../activity/plain-text.ts';
import type { ReportedResult } from '../../probe/result.ts';
import type { Report } from '../report.ts';
import { adviseReport } from './advise-report.ts';
import { compareReport } from './compare-report.ts';
import { connectReport } from './connect-report.ts';
import { k6Report } from './k6-report.ts';
import { rampReport } from './ramp-report.ts';
import { sizeReport } from './size-report.ts';
import { spikeReport } from './spike-report.ts';
import { sweepReport } from './sweep-report.ts';
import { usersReport } from './users-report.ts';

type Reports = {
  readonly [Kind in ReportedResult['experiment']]: (
    result: Extract<ReportedResult, { experiment: Kind }>,
  ) => Report;
};

/** Every kind of result: a row each. */
const reports: Reports = {
  size: sizeReport,
  users: usersReport,
  connect: connectReport,
  compare: compareReport,
  ramp: rampReport,
  spike: spikeReport,
  advise: adviseReport,
  k6: k6Report,
  sweep: sweepReport,
};

/** What a report says of a result, whatever its format. */
export function toReport(result: ReportedResult): Report {
  const report = reports[result.experiment] as (result: ReportedResult) => Report;
  return report(result);
}

/** What a report says first, as one line of plain text: the verdict, and behind it the figures to remember, as in "(max 3, interval 2 to 4)". */
export function headlineOf(result: ReportedResult): string {
  const { title, verdict, facts } = toReport(result);
  const said = verdict === null ? [title] : [verdict.title, ...verdict.sentences];
  const figures = facts.map(({ label, value }) => `${label} ${value}`).join(', ');
  return toPlainText(`${said.join(' ')}${figures === '' ? '' : ` (${figures})`}`);
}
