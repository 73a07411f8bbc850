import { scaleLinear } from 'd3-scale';
import { html, type Markup } from '../html/markup.ts';
import type { BarChart, StackedChart } from '../report.ts';
import { formatFigure } from '../units.ts';

const width = 720;
const left = 168;
const right = 560;
const rowHeight = 26;
const groupHead = 28;

type Bar = BarChart['groups'][number]['bars'][number];

/** Bars side by side, lying so that their names can be read; what failed is drawn on top of what was answered. Null without a bar. */
export function barChart({ title, unit, groups }: BarChart): Markup | null {
  const bars = groups.flatMap((group) => group.bars);
  if (bars.length === 0) return null;
  const length = scaleLinear(
    [0, Math.max(...bars.map((bar) => bar.value + failedOf(bar)), Number.MIN_VALUE)],
    [0, right - left],
  );
  const tops = groups.map((_, index) =>
    groups
      .slice(0, index)
      .reduce((sum, group) => sum + groupHead + group.bars.length * rowHeight, 6),
  );
  const height = groups.reduce((sum, group) => sum + groupHead + group.bars.length * rowHeight, 14);
  const words = groups
    .map(
      (group) =>
        `${group.label}: ${group.bars.map((bar) => `${bar.label} ${formatFigure(bar.value, unit)}${describeFailed(bar)}`).join(', ')}.`,
    )
    .join(' ');
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${`${title}. ${words}`}">
    ${groups.map(
      (
        group,
        index,
      ) => html`<g transform="translate(0 ${tops[index] ?? 0})"><text class="group" x="0" y="18">${group.label}</text>
      ${group.bars.map((bar, row) => drawBar(bar, groupHead + row * rowHeight))}</g>`,
    )}
  </svg>`;

  function drawBar(bar: Bar, top: number): Markup {
    const [answered, failed] = [length(bar.value), length(failedOf(bar))];
    return html`<g class="bar-row${bar.isChosen ? ' chosen' : ''}"><text class="bar-name" x="${left - 10}" y="${top + 15}" text-anchor="end">${bar.label}</text>
      <rect class="answered" x="${left}" y="${top + 2}" height="${rowHeight - 8}" width="${Math.max(1, answered).toFixed(1)}" rx="2"/>
      ${bar.failed > 0 ? html`<rect class="failed" x="${(left + answered).toFixed(1)}" y="${top + 2}" height="${rowHeight - 8}" width="${Math.max(1.5, failed).toFixed(1)}" rx="1"/>` : null}
      <text class="bar-value" x="${(left + answered + failed + 8).toFixed(1)}" y="${top + 15}">${formatFigure(bar.value, unit)}<tspan class="bad">${describeFailed(bar)}</tspan></text></g>`;
  }
}

/** What failed, in the unit of what was answered. */
function failedOf({ value, failed }: Bar): number {
  return failed >= 1 ? 0 : (value * failed) / (1 - failed);
}

function describeFailed({ failed }: Bar): string {
  return failed > 0 ? `, ${formatFigure(failed, 'share')} failed` : '';
}

const partsLeft = 138;
const partsRight = 640;
const partsHeight = 48;

/** One lying bar a row, its parts in order; the names of the parts stand in a legend below. Null without a value. */
export function stackedChart({ title, unit, parts, bars }: StackedChart): Markup | null {
  const totals = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  if (totals.every((total) => total <= 0)) return null;
  const length = scaleLinear([0, Math.max(...totals)], [0, partsRight - partsLeft]);
  const words = bars
    .map(
      ({ label, values }) =>
        `${label}: ${values.map((value, index) => `${parts[index] ?? ''} ${formatFigure(value, unit)}`).join(', ')}.`,
    )
    .join(' ');
  return html`<svg viewBox="0 0 ${width} ${bars.length * partsHeight + 8}" role="img" aria-label="${`${title}. ${words}`}">
    ${bars.map(
      (
        { label, values },
        row,
      ) => html`<g transform="translate(0 ${row * partsHeight + 4})"><text class="bar-name" x="${partsLeft - 10}" y="23" text-anchor="end">${label}</text>
      ${values.map((value, index) => drawPart({ value, index, start: values.slice(0, index).reduce((sum, each) => sum + each, 0) }))}
      <text class="bar-value" x="${(partsLeft + length(totals[row] ?? 0) + 8).toFixed(1)}" y="23">${formatFigure(totals[row] ?? 0, unit)}</text></g>`,
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
    const [x, wide] = [partsLeft + length(start), length(value)];
    if (value <= 0) return null;
    const text = formatFigure(value, unit);
    return html`<rect class="part ink-${index}" x="${x.toFixed(1)}" y="4" width="${Math.max(1, wide - 1).toFixed(1)}" height="30"><title>${`${parts[index] ?? ''}: ${text}`}</title></rect>
      ${wide > text.length * 7 + 6 ? html`<text class="part-value" x="${(x + wide / 2).toFixed(1)}" y="23" text-anchor="middle">${text}</text>` : null}`;
  }
}
