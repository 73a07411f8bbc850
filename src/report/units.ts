import type { ErrorCounts } from '../probe/load/pool-load.ts';

/** How the numbers of reports are written: English digits, a space before the unit. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

const writers = {
  text: String,
  count: (value: number) => whole.format(value),
  /** Per second. */
  rate: (value: number) => (Math.abs(value) < 10 ? value.toFixed(1) : whole.format(value)),
  ms: formatMs,
  /** 1 is 100 %. */
  share: (value: number) =>
    `${value !== 0 && Math.abs(value) < 0.1 ? (value * 100).toFixed(1) : whole.format(value * 100)} %`,
  /** A share that may be a loss. */
  change: (value: number) => `${value < 0 ? '' : '+'}${whole.format(value * 100)} %`,
  cores: (value: number) => value.toFixed(2),
  /** A multiple. */
  times: (value: number) => `${value.toFixed(2)} ×`,
  bytes: formatBytes,
} as const satisfies Readonly<Record<string, (value: number) => string>>;

export type Unit = keyof typeof writers;

/** For example "1,490", "12 ms", "93 %". Anything that is no number is a dash. */
export function formatFigure(value: number | null, unit: Unit): string {
  return value === null || !Number.isFinite(value) ? '–' : writers[unit](value).replace(/^-/, '−');
}

/** For an axis: as short as it can be. */
export function formatTick(value: number, unit: Unit): string {
  if (unit !== 'count' && unit !== 'rate')
    return formatFigure(value, unit).replace(/\.0+(?= )/, '');
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toFixed(1))}M`;
  return value >= 1000 ? `${Number((value / 1000).toFixed(1))}k` : String(Number(value.toFixed(2)));
}

function formatMs(ms: number): string {
  if (ms !== 0 && ms < 0.1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 10_000) return `${whole.format(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${whole.format(ms / 60_000)} min`;
}

/** In the units that PostgreSQL's settings use: 1 MB is 1,024 kB. */
function formatBytes(bytes: number): string {
  const [size, unit] =
    bytes >= 1024 ** 3
      ? [bytes / 1024 ** 3, 'GB']
      : bytes >= 1024 ** 2
        ? [bytes / 1024 ** 2, 'MB']
        : [bytes / 1024, 'kB'];
  return `${size < 10 ? size.toFixed(1) : whole.format(size)} ${unit}`;
}

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
