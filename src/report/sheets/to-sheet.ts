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
