import type uPlot from 'uplot';

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

/** What every chart here has in common: it is a picture, and nothing in it answers to the mouse. In pixels. */
export function stillFrame(
  width: number,
  height: number,
): Pick<uPlot.Options, 'width' | 'height' | 'padding' | 'legend' | 'cursor' | 'select'> {
  return {
    width,
    height,
    padding: [14, 14, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
  };
}
