import type { ErrorCounts } from '../load/pool-load.ts';

/** Totals since an experiment began. */
export interface StatementCounts {
  readonly completed: number;
  readonly errors: ErrorCounts;
}

/** Statements before an error rate means something. */
const fewestForErrorRate = 20;
const mostErrors = 0.05;

/** The sentence that ends an experiment whose statements fail more often than one in twenty; null while they do not. */
export function judgeErrors({ completed, errors }: StatementCounts): string | null {
  const failed = Object.values(errors).reduce((total, count) => total + count, 0);
  if (completed + failed < fewestForErrorRate || failed / (completed + failed) <= mostErrors)
    return null;
  const codes = Object.entries(errors).map(([code, count]) => `${count} × ${code}`);
  return `The probe stopped: ${Math.round((failed / (completed + failed)) * 100)} % of its statements failed (${codes.join(', ')}).`;
}
