import type { LoadFigures } from '../report-input.ts';
import { formatCount, formatDuration, formatPercent, plural } from './figures.ts';
import { html, type Markup } from './markup.ts';

interface Row {
  readonly label: string;
  readonly value: (figures: LoadFigures) => string;
  /** For the bar; rows without one have none. */
  readonly size?: (figures: LoadFigures) => number;
}

const rows: readonly Row[] = [
  {
    label: 'Correct answers per second',
    value: ({ throughput }) => formatCount(throughput),
    size: ({ throughput }) => throughput,
  },
  { label: 'Requests answered correctly', value: ({ answered }) => formatCount(answered) },
  {
    label: 'Failed requests',
    value: ({ failed, requests }) =>
      `${formatCount(failed)} (${formatPercent(requests === 0 ? 0 : failed / requests)})`,
    size: ({ failed }) => failed,
  },
  { label: 'Median latency', value: ({ p50Ms }) => formatDuration(p50Ms) },
  { label: 'Average latency', value: ({ averageMs }) => formatDuration(averageMs) },
  {
    label: '99th percentile',
    value: ({ p99Ms }) => formatDuration(p99Ms),
    size: ({ p99Ms }) => p99Ms,
  },
  {
    label: 'Clients never released',
    value: ({ lostClients, poolMax }) => `${formatCount(lostClients)} of ${formatCount(poolMax)}`,
    size: ({ lostClients }) => lostClients,
  },
];

export function renderLoads(loads: readonly LoadFigures[]): Markup {
  const [first] = loads;
  if (first === undefined) return html``;
  return html`<p>The same requests for ${formatDuration(first.seconds * 1_000)} by ${plural(first.callers, 'caller')} on a pool of ${first.poolMax}, one service after the other.</p>
    <div class="scroll"><table class="loads">
      <thead><tr><th></th>${loads.map(({ name }) => html`<th>${name}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => renderRow(row, loads))}</tbody>
    </table></div>`;
}

function renderRow({ label, value, size }: Row, loads: readonly LoadFigures[]): Markup {
  const largest = Math.max(...loads.map((figures) => size?.(figures) ?? 0), Number.MIN_VALUE);
  return html`<tr><th>${label}</th>${loads.map(
    (figures) =>
      html`<td>${value(figures)}${size === undefined ? null : bar(size(figures) / largest)}</td>`,
  )}</tr>`;
}

function bar(share: number): Markup {
  return html`<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect width="${(share * 100).toFixed(1)}" height="4"/></svg>`;
}
