/** Names of colours of the theme that charts draw with. */
export const inkNames = [
  'curve',
  'quiet',
  'line',
  'recommended',
  'error',
  'ink',
  'state-waiting',
] as const;

/** Resolved CSS colours. */
export type Inks = Readonly<Record<(typeof inkNames)[number], string>>;

export const chartFont = '11px system-ui, sans-serif';

/** `rgb(1, 2, 3)` as computed by the browser, at a share of its opacity. */
export function translucent(color: string, percent = 20): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}
