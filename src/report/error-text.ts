import type { ErrorCounts } from '../probe/load/pool-load.ts';

/** For example "61 × 53300 (no connection was free), 4 × ECONNRESET"; empty for none. */
export function describeErrors(errors: ErrorCounts): string {
  const causes = Object.entries(errors).sort(([, a], [, b]) => b - a);
  return causes.map(([code, count]) => `${count} × ${describeCause(code)}`).join(', ');
}

function describeCause(code: string): string {
  const words = new Map(Object.entries(causesInWords)).get(code);
  return words === undefined ? code : `${code} (${words})`;
}

/** The SQLSTATEs that load on a pool brings about (PostgreSQL, appendix A). */
const causesInWords: Readonly<Record<string, string>> = {
  '53300': 'too many connections',
  '57014': 'cancelled or timed out',
  '57P01': 'ended by an administrator',
  '40P01': 'deadlock',
  '55P03': 'lock not available',
  '25006': 'read-only transaction',
  '08P01': 'refused by the pooler',
};
