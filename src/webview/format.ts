const units = [
  { limitMs: 1000, text: (ms: number) => `${Math.round(ms)} ms` },
  { limitMs: 60_000, text: (ms: number) => `${Math.floor(ms / 1000)} s` },
  { limitMs: 3_600_000, text: (ms: number) => `${Math.floor(ms / 60_000)} min` },
  { limitMs: 86_400_000, text: (ms: number) => `${Math.floor(ms / 3_600_000)} h` },
  { limitMs: Infinity, text: (ms: number) => `${Math.floor(ms / 86_400_000)} d` },
] as const;

/** An age for a narrow column: "340 ms", "12 s", "3 min"; an en dash for none. */
export function formatAge(ms: number | null): string {
  if (ms === null) return '–';
  return units.find(({ limitMs }) => ms < limitMs)?.text(Math.max(0, ms)) ?? '–';
}

/** The same for a narrow sidebar, where milliseconds would only flicker. */
export function formatRoughAge(ms: number | null): string {
  return ms !== null && ms < 1000 ? '<1 s' : formatAge(ms);
}

/** "1 session", "3 sessions". */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** Three significant digits, with thousands separated: "12,300", "8.46". */
export function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** "340 kB", "12.3 MB": as PostgreSQL counts, in steps of 1,024. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(
    units.length - 1,
    Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)),
  );
  return `${formatNumber(bytes / 1024 ** step)} ${units[step] ?? 'B'}`;
}
