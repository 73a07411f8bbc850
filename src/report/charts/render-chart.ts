import { html, type Markup } from '../html/markup.ts';
import type { Chart, LineChart } from '../report.ts';
import { barChart, stackedChart } from './bar-chart.ts';
import { lineChart } from './line-chart.ts';

/** A chart with its title, as SVG without script or style attributes. Null when there is nothing to draw. */
export function renderChart(chart: Chart): Markup | null {
  const drawn = draw(chart);
  if (drawn === null) return null;
  return html`<figure class="chart"><figcaption>${chart.title}</figcaption><div class="scroll">${drawn}</div>${chart.kind === 'lines' ? legend(chart) : null}</figure>`;
}

function draw(chart: Chart): Markup | null {
  switch (chart.kind) {
    case 'lines':
      return lineChart(chart);
    case 'bars':
      return barChart(chart);
    case 'stacked':
      return stackedChart(chart);
  }
}

/** Says what is drawn beside the lines themselves. */
function legend({ lines, dots = [], marks = [] }: LineChart): Markup | null {
  const keys = [
    ...(lines.some(({ band = [] }) => band.length > 1)
      ? [['band', '5 % to 95 % when the rounds are drawn anew']]
      : []),
    ...(dots.some(({ isFaint }) => !isFaint) ? [['dot', 'one slice']] : []),
    ...(dots.some(({ isFaint }) => isFaint)
      ? [['dot unheard', 'a slice beside other programs: it weighs less than half']]
      : []),
    ...(lines.some(({ isGuide }) => isGuide === true)
      ? [['guide', 'each connection as good as the first']]
      : []),
    ...(marks.some(({ stretch }) => stretch !== undefined)
      ? [['stretch pick', 'how far the pick is uncertain']]
      : []),
  ] as const;
  return keys.length === 0
    ? null
    : html`<p class="legend">${keys.map(([name = '', words = '']) => html`<span class="drawn"><svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">${swatch(name)}</svg>${words}</span> `)}</p>`;
}

function swatch(name: string): Markup {
  if (name.startsWith('dot')) return html`<circle class="${name}" cx="11" cy="6" r="3"/>`;
  if (name === 'guide') return html`<path class="guide" d="M1 11L21 1"/>`;
  return html`<rect class="${name === 'band' ? 'band ink-0' : name}" width="22" height="12"/>`;
}
