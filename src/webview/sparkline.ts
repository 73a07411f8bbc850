import { svg, html, type TemplateResult } from 'lit';

/** A curve of counts without axes, 100 units wide; its words are for who cannot see it. */
export function sparkline(history: readonly number[], top: number, words: string): TemplateResult {
  // Some air above, so that a curve that stays at its top is seen to be one.
  const highest = Math.max(1, top * 1.2);
  const points = history.map((count, index) => `${round((index / Math.max(1, history.length - 1)) * 100)},${round(26 - (count / highest) * 24)}`).join(' ');
  return html`<svg class="sparkline" viewBox="0 0 100 28" preserveAspectRatio="none" role="img" aria-label=${words}>
    ${svg`<polygon points="0,28 ${points} 100,28"></polygon><polyline points=${points}></polyline>`}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
