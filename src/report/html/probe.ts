import type { SizeResult, SizeMeasurement } from '../../probe/result.ts';
import { formatCount, formatDuration, formatPercent } from './figures.ts';
import { html, json, type Markup } from './markup.ts';

export function renderProbe(result: SizeResult): Markup {
  return html`${renderVerdict(result)}
    ${result.workload.statements.map(({ text }) => html`<p class="quiet">Statement: <code class="query">${text}</code></p>`)}
    <div id="curve" class="curve"></div>
    <script type="application/json" id="curve-data">${json(result)}</script>
    <div class="scroll"><table>
      <thead><tr><th class="figure">pool size</th><th class="figure">statements per second</th><th class="figure">90 % interval</th><th class="figure">mean latency</th><th class="figure">slices kept</th></tr></thead>
      <tbody>${result.sizes.map((size) => renderSize(size, result))}</tbody>
    </table></div>
    ${renderValidation(result)}
    ${result.notes.map((note) => html`<p class="quiet">${note}</p>`)}`;
}

function renderVerdict({ recommendation, verdict }: SizeResult): Markup {
  if (recommendation === null) return html`<p class="verdict">No number this time</p><p>${verdict.because}</p>`;
  const [low, high] = recommendation.interval;
  return html`<p class="verdict">Write <code>max: ${recommendation.max}</code>${low === high ? null : html` <span class="quiet">(${low} to ${high})</span>`}</p>
    <p>${verdict.because} The same size came out in ${formatPercent(recommendation.confidence)} of the redraws. Bounded by: ${recommendation.limitedBy}</p>`;
}

function renderSize({ size, throughput, low, high, meanMs, acceptedSlices, slices }: SizeMeasurement, { recommendation }: SizeResult): Markup {
  return html`<tr class="${size === recommendation?.max ? 'chosen' : ''}"><td class="figure">${size}</td><td class="figure">${formatCount(throughput)}</td>
    <td class="figure">${formatCount(low)} – ${formatCount(high)}</td><td class="figure">${formatDuration(meanMs)}</td><td class="figure">${acceptedSlices} of ${slices}</td></tr>`;
}

function renderValidation({ validation }: SizeResult): Markup | null {
  if (validation === null || validation.closed === null) return null;
  const { max, closed: { callers, load: { throughput, latency, peakWaiting } } } = validation;
  if (latency === null) return null;
  return html`<p>Checked with a real <code>pg.Pool</code> of ${max} and ${callers} callers: ${formatCount(throughput)} statements per second,
    median ${formatDuration(latency.p50Ms)}${latency.p95Ms === null ? null : html`, 95th percentile ${formatDuration(latency.p95Ms)}`}${latency.p99Ms === null ? null : html`, 99th ${formatDuration(latency.p99Ms)}`}, at most ${peakWaiting} waiting.</p>`;
}
