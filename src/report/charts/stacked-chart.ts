import { scaleLinear } from 'd3-scale';
import { html, type Markup } from '../html/markup.ts';
import type { StackedChart } from '../sheet.ts';
import { formatFigure } from '../units.ts';

const width = 720;
const left = 138;
const right = 640;
const rowHeight = 48;

/** One lying bar a row, its parts in order; the names of the parts stand in a legend below. Null without a value. */
export function stackedChart({ title, unit, parts, bars }: StackedChart): Markup | null {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  if (totals.every((total) => total <= 0)) return null;
  const length = scaleLinear([0, Math.max(...totals)], [0, right - left]);
  const words = bars
    .map(
      ({ label, values }) =>
        `${label}: ${values.map((value, index) => `${parts[index] ?? ''} ${formatFigure(value, unit)}`).join(', ')}.`,
    )
    .join(' ');
  return html`<svg viewBox="0 0 ${width} ${bars.length * rowHeight + 8}" role="img" aria-label="${`${title}. ${words}`}">
    ${bars.map(
      (
        { label, values },
        row,
      ) => html`<g transform="translate(0 ${row * rowHeight + 4})"><text class="bar-name" x="${left - 10}" y="23" text-anchor="end">${label}</text>
      ${values.map((value, index) => drawPart({ value, index, start: values.slice(0, index).reduce((sum, each) => sum + each, 0) }))}
      <text class="bar-value" x="${(left + length(totals[row] ?? 0) + 8).toFixed(1)}" y="23">${formatFigure(totals[row] ?? 0, unit)}</text></g>`,
    )}
  </svg>
  <p class="legend">${parts.map((part, index) => html`<span class="key ink-${index}">${part}</span> `)}</p>`;

  function drawPart({
    value,
    index,
    start,
  }: {
    value: number;
    index: number;
    start: number;
  }): Markup | null {
    const [x, wide] = [left + length(start), length(value)];
    if (value <= 0) return null;
    const text = formatFigure(value, unit);
    return html`<rect class="part ink-${index}" x="${x.toFixed(1)}" y="4" width="${Math.max(1, wide - 1).toFixed(1)}" height="30"><title>${`${parts[index] ?? ''}: ${text}`}</title></rect>
      ${wide > text.length * 7 + 6 ? html`<text class="part-value" x="${(x + wide / 2).toFixed(1)}" y="23" text-anchor="middle">${text}</text>` : null}`;
  }
}
