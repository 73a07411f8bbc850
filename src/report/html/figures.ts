/** How numbers are written in the report: English digits, a narrow space before the unit. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function formatCount(count: number): string {
  return whole.format(count);
}

/** For example "0.42 ms", "37 ms", "2.1 s", "14 min". */
export function formatDuration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '–';
  if (ms < 10) return `${ms.toFixed(2)} ms`;
  if (ms < 1_000) return `${ms.toFixed(0)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${whole.format(ms / 60_000)} min`;
}

export function formatPercent(share: number): string {
  const percent = share * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : whole.format(percent)} %`;
}

/** "1 finding", "3 findings". */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
