import { css, svg, html, nothing, type TemplateResult } from 'lit';
import type { History } from '../activity/activity-model.ts';
import { formatRoughAge } from './format.ts';

export const sparklineStyle = css`
  .sparkline, .sparkline .range { display: block; }
  .sparkline svg { display: block; width: 100%; height: 22px; }
  .sparkline polyline { fill: none; stroke: var(--curve); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
  .sparkline polygon { fill: color-mix(in srgb, var(--curve) 15%, transparent); }
  .sparkline .limit { stroke: var(--state-hidden); stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
  .sparkline .range { font-size: 10px; line-height: 12px; text-align: right; white-space: nowrap; color: var(--quiet); font-variant-numeric: tabular-nums; }
`;

/** Fewer are no curve. */
const fewest = 3;

export interface SparklineOptions {
  /** What is counted, with a capital. */
  readonly what: string;
  /** The height of the curve, at least. */
  readonly top?: number;
  /** Where a line is drawn. */
  readonly limit?: number;
}

/** A curve of counts with its range and its time below, 100 units wide. */
export function sparkline(
  { counts, spanMs }: History,
  { what, top = 1, limit }: SparklineOptions,
): TemplateResult | typeof nothing {
  if (counts.length < fewest) return nothing;
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  // Some air above, so that a curve that stays at its top is seen to be one.
  const highest = Math.max(top, most) * 1.2;
  const heightOf = (count: number): number => round(26 - (count / highest) * 24);
  const points = counts
    .map((count, index) => `${round((index / (counts.length - 1)) * 100)},${heightOf(count)}`)
    .join(' ');
  const line =
    limit === undefined
      ? nothing
      : svg`<line class="limit" x1="0" x2="100" y1=${heightOf(limit)} y2=${heightOf(limit)}></line>`;
  const time = `last ${formatRoughAge(spanMs)}`;
  const words = `${what} in the ${time}: ${least} to ${most}${limit === undefined ? '' : `, with max at ${limit}`}`;
  return html`<span class="sparkline" title=${words}><svg viewBox="0 0 100 28" preserveAspectRatio="none" role="img" aria-label=${words}>
    ${svg`<polygon points="0,28 ${points} 100,28"></polygon><polyline points=${points}></polyline>${line}`}</svg>
    <span class="range" aria-hidden="true">${least === most ? most : `${least}–${most}`}, ${time}</span></span>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
