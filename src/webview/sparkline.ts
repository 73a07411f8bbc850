import { svg, html, nothing, type TemplateResult } from 'lit';

/** Looks that a curve of this width can show: the last ones. */
const mostPoints = 60;

/** A curve of counts without axes, 100 units wide, with a line at a limit where there is one; its words are for who cannot see it. */
export function sparkline(
  history: readonly number[],
  top: number,
  words: string,
  limit?: number,
): TemplateResult {
  // Some air above, so that a curve that stays at its top is seen to be one.
  const highest = Math.max(1, top * 1.2);
  const shown = history.slice(-mostPoints);
  const heightOf = (count: number): number => round(26 - (count / highest) * 24);
  const points = shown
    .map(
      (count, index) =>
        `${round((index / Math.max(1, shown.length - 1)) * 100)},${heightOf(count)}`,
    )
    .join(' ');
  const line =
    limit === undefined
      ? nothing
      : svg`<line class="limit" x1="0" x2="100" y1=${heightOf(limit)} y2=${heightOf(limit)}></line>`;
  return html`<svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" role="img" aria-label=${words}>
    ${svg`<polygon points="0,28 ${points} 100,28"></polygon><polyline points=${points}></polyline>${line}`}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
