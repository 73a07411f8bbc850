import { LitElement, css, html, unsafeCSS, type TemplateResult } from 'lit';
import uPlot from 'uplot';
import sheet from 'uplot/dist/uPlot.min.css';
import type { Recommendation, SizeMeasurement } from '../probe/result.ts';
import { define } from './define.ts';
import { curveOptions, type Inks } from './curve-options.ts';
import { formatNumber } from './format.ts';
import { theme } from './theme.ts';

const inkNames = ['curve', 'quiet', 'line', 'recommended'] as const;

/**
 * Throughput over pool size: the measured points with their interval as a band, the knee and the recommended `max`.
 * Draws with the editor's colours, or with its own in a page that sets `color-scheme`. Below it stands the same as a table.
 */
export class CurveChart extends LitElement {
  static override properties = { sizes: { attribute: false }, knee: { attribute: false }, recommendation: { attribute: false }, height: { type: Number } };
  static override styles = [unsafeCSS(sheet), theme, css`
    .chart { position: relative; width: 100%; overflow: hidden; }
    .inks { display: none; }
    ${unsafeCSS(inkNames.map((name) => `.ink-${name} { color: var(--${name}); }`).join('\n'))}
    figure { margin: 0; }
    figcaption { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 4px 0 6px; color: var(--quiet); font-size: 12px; }
    figcaption span { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; }
    figcaption i { width: 14px; height: 0; border-top: 2px solid var(--curve); }
    figcaption .band { height: 8px; border: 0; background: color-mix(in srgb, var(--curve) 25%, transparent); }
    figcaption .knee { border-top: 2px dashed var(--quiet); }
    figcaption .max { border-top-color: var(--recommended); }
    summary { cursor: pointer; color: var(--quiet); width: max-content; }
    .scroller { overflow-x: auto; }
    table { border-collapse: collapse; margin-top: 4px; width: 100%; max-width: 640px; font-variant-numeric: tabular-nums; }
    th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap; }
    thead th { color: var(--quiet); font-size: 12px; }
    tr.recommended th { font-weight: 700; color: var(--recommended); }
  `];
  declare sizes: readonly SizeMeasurement[];
  declare knee: number | null;
  declare recommendation: Recommendation | null;
  /** Pixels. */
  declare height: number;
  #plot: uPlot | undefined;
  readonly #resize = new ResizeObserver(() => this.#fit());
  readonly #themeChange = new MutationObserver(() => this.#draw());
  readonly #scheme = window.matchMedia('(prefers-color-scheme: dark)');

  constructor() {
    super();
    this.sizes = [];
    this.knee = null;
    this.recommendation = null;
    this.height = 220;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#resize.observe(this);
    // The editor names its theme on the body element.
    this.#themeChange.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    this.#scheme.addEventListener('change', this.#draw);
    if (this.hasUpdated) this.#draw();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize.disconnect();
    this.#themeChange.disconnect();
    this.#scheme.removeEventListener('change', this.#draw);
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  protected override updated(): void {
    this.#draw();
  }

  override render(): TemplateResult {
    return html`<figure>
      <div class="chart" role="img" aria-label=${describeCurve(this.sizes, this.knee, this.recommendation)} .style=${`height: ${this.height}px`}></div>
      <figcaption>
        <span><i></i>statements per second</span><span><i class="band"></i>5th to 95th percentile</span>
        ${this.knee === null ? '' : html`<span><i class="knee"></i>knee at ${this.knee}</span>`}
        ${this.recommendation === null ? '' : html`<span><i class="max"></i>recommended max ${this.recommendation.max}</span>`}
      </figcaption>
      <details><summary>As a table</summary>${table(this.sizes, this.recommendation)}</details>
    </figure>
    <div class="inks">${inkNames.map((name) => html`<i class="ink-${name}"></i>`)}</div>`;
  }

  readonly #draw = (): void => {
    const chart = this.renderRoot.querySelector<HTMLElement>('.chart');
    this.#plot?.destroy();
    this.#plot = undefined;
    if (chart === null || chart.clientWidth === 0 || this.sizes.length === 0) return;
    const { sizes, knee, recommendation, height } = this;
    const options = curveOptions({ sizes, knee, recommendation, width: chart.clientWidth, height, inks: this.#inks() });
    this.#plot = new uPlot(options, [sizes.map(({ size }) => size), ...(['throughput', 'high', 'low'] as const).map((key) => sizes.map((each) => each[key]))], chart);
  };

  #fit(): void {
    const width = this.renderRoot.querySelector('.chart')?.clientWidth ?? 0;
    if (this.#plot === undefined) this.#draw();
    else if (width !== 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: this.height });
  }

  /** A canvas needs plain colours: the browser resolves the variables on hidden elements. */
  #inks(): Inks {
    const read = (name: string): string => {
      const element = this.renderRoot.querySelector(`.ink-${name}`);
      return element === null ? 'gray' : getComputedStyle(element).color;
    };
    return { curve: read('curve'), quiet: read('quiet'), line: read('line'), recommended: read('recommended') };
  }
}

/** Tells the browser what `<poolguard-curve>` is. */
export function defineCurveChart(): void {
  define('poolguard-curve', CurveChart);
}

function describeCurve(sizes: readonly SizeMeasurement[], knee: number | null, recommendation: Recommendation | null): string {
  const points = sizes.map(({ size, throughput }) => `${size}: ${formatNumber(throughput)}`).join(', ');
  const marks = [knee !== null && `knee at ${knee}`, recommendation !== null && `recommended max ${recommendation.max}`].filter(Boolean).join(', ');
  return `Statements per second by pool size. ${points}. ${marks}`;
}

function table(sizes: readonly SizeMeasurement[], recommendation: Recommendation | null): TemplateResult {
  return html`<div class="scroller"><table>
    <thead><tr><th scope="col">Pool size</th><th scope="col">Statements/s</th><th scope="col">5–95 %</th><th scope="col">Mean</th></tr></thead>
    <tbody>${sizes.map(({ size, throughput, low, high, meanMs }) => html`<tr class=${size === recommendation?.max ? 'recommended' : ''}>
      <th scope="row">${size}</th><td>${formatNumber(throughput)}</td><td>${formatNumber(low)}–${formatNumber(high)}</td><td>${formatNumber(meanMs)} ms</td></tr>`)}
    </tbody></table></div>`;
}
