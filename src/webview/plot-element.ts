import { LitElement, css, html, unsafeCSS, type TemplateResult } from 'lit';
import uPlot from 'uplot';
import report from 'uplot/dist/uPlot.min.css';
import type { Inks } from './inks.ts';
import { inkNames } from './inks.ts';
import { theme } from './theme.ts';

/** What uPlot is given. */
export interface Plot {
  readonly options: uPlot.Options;
  readonly data: uPlot.AlignedData;
}

/**
 * A chart as a figure: a picture with a description, a key, and the same figures as a table below.
 * Draws with the editor's colours, or with its own in a page that sets `color-scheme`, and anew when they or the width change.
 */
export abstract class PlotElement extends LitElement {
  static override styles = [
    unsafeCSS(report),
    theme,
    css`
    .chart { position: relative; width: 100%; overflow: hidden; }
    .inks { display: none; }
    ${unsafeCSS(inkNames.map((name) => `.ink-${name} { color: var(--${name}); }`).join('\n'))}
    figure { margin: 0; }
    figcaption { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 4px 0 6px; color: var(--quiet); font-size: 12px; }
    figcaption span { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; }
    figcaption i { width: 14px; height: 0; border-top: 2px solid var(--curve); }
    figcaption .band { height: 8px; border: 0; background: color-mix(in srgb, var(--curve) 25%, transparent); }
    figcaption .box { width: 10px; height: 10px; border: 0; background: var(--curve); }
    figcaption .dot { width: 6px; height: 6px; border: 0; border-radius: 50%; background: color-mix(in srgb, var(--ink) 45%, transparent); }
    figcaption .knee { border-top: 2px dashed var(--quiet); }
    figcaption .limit { border-top: 2px dotted var(--error); }
    figcaption .good { border-top: 2px dashed var(--recommended); }
    figcaption .wait { background: var(--state-waiting); }
    figcaption .percentile { background: color-mix(in srgb, var(--curve) 45%, transparent); }
    figcaption .max { border-top-color: var(--recommended); }
    summary { cursor: pointer; color: var(--quiet); width: max-content; }
    .scroller { overflow-x: auto; }
    table { border-collapse: collapse; margin-top: 4px; width: 100%; max-width: 640px; font-variant-numeric: tabular-nums; }
    th, td { padding: 3px 8px; text-align: right; border-bottom: 1px solid var(--line); font-weight: 400; white-space: nowrap; }
    thead th { color: var(--quiet); font-size: 12px; }
    tr.recommended th { font-weight: 700; color: var(--recommended); }
  `,
  ];
  /** Pixels. */
  declare height: number;
  #plot: uPlot | undefined;
  readonly #resize = new ResizeObserver(() => this.#fit());
  readonly #themeChange = new MutationObserver(() => this.#draw());
  readonly #scheme = window.matchMedia('(prefers-color-scheme: dark)');

  /** Null when there is nothing to draw. */
  protected abstract plot(width: number, inks: Inks): Plot | null;
  /** In words, for who does not see it. */
  protected abstract describe(): string;
  protected abstract key(): TemplateResult;
  protected abstract table(): TemplateResult;

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
      <div class="chart" role="img" aria-label=${this.describe()} .style=${`height: ${this.height}px`}></div>
      <figcaption>${this.key()}</figcaption>
      <details><summary>As a table</summary><div class="scroller">${this.table()}</div></details>
    </figure>
    <div class="inks">${inkNames.map((name) => html`<i class="ink-${name}"></i>`)}</div>`;
  }

  readonly #draw = (): void => {
    const chart = this.renderRoot.querySelector<HTMLElement>('.chart');
    this.#plot?.destroy();
    this.#plot = undefined;
    if (chart === null || chart.clientWidth === 0) return;
    const plot = this.plot(chart.clientWidth, this.#inks());
    if (plot !== null) this.#plot = new uPlot(plot.options, plot.data, chart);
  };

  #fit(): void {
    const width = this.renderRoot.querySelector('.chart')?.clientWidth ?? 0;
    if (this.#plot === undefined) this.#draw();
    else if (width !== 0 && width !== this.#plot.width)
      this.#plot.setSize({ width, height: this.height });
  }

  /** A canvas needs plain colours: the browser resolves the variables on hidden elements. */
  #inks(): Inks {
    const read = (name: string): string => {
      const element = this.renderRoot.querySelector(`.ink-${name}`);
      return element === null ? 'gray' : getComputedStyle(element).color;
    };
    return Object.fromEntries(inkNames.map((name) => [name, read(name)])) as unknown as Inks;
  }
}
