import { html, type TemplateResult } from 'lit';
import type { SizeMeasurement, Slice } from '../probe/result.ts';
import { curveOptions, type Marks } from './curve-options.ts';
import { define } from './define.ts';
import { formatNumber } from './format.ts';
import type { Inks } from './inks.ts';
import { PlotElement, type Plot } from './plot-element.ts';

const noMarks: Marks = { knee: null, recommendation: null, good: null, limit: null };

/** Throughput over pool size: the measured points with their interval as a band, single measurements as dots, the knee, the recommended `max` and a limit. */
class CurveChart extends PlotElement {
  static override properties = {
    sizes: { attribute: false },
    slices: { attribute: false },
    marks: { attribute: false },
    height: { type: Number },
  };
  declare sizes: readonly SizeMeasurement[];
  /** Of which the sizes are made; may be left out. */
  declare slices: readonly Slice[];
  declare marks: Marks;

  constructor() {
    super();
    this.sizes = [];
    this.slices = [];
    this.marks = noMarks;
    this.height = 220;
  }

  protected override plot(width: number, inks: Inks): Plot | null {
    const { sizes, slices, marks, height } = this;
    if (sizes.length === 0) return null;
    const options = curveOptions({ sizes, slices, marks, width, height, inks });
    return {
      options,
      data: [
        sizes.map(({ size }) => size),
        ...(['throughput', 'high', 'low'] as const).map((key) => sizes.map((each) => each[key])),
      ],
    };
  }

  protected override describe(): string {
    const { knee, recommendation, good, limit } = this.marks;
    const points = this.sizes
      .map(({ size, throughput }) => `${size}: ${formatNumber(throughput)}`)
      .join(', ');
    const said = [
      knee !== null && `levels off at ${knee}`,
      recommendation !== null && `recommended max ${recommendation.max}`,
      good !== null && `90 % of the best at ${good}`,
      limit !== null && `limit at ${limit}`,
    ]
      .filter(Boolean)
      .join(', ');
    return `Statements per second by pool size. ${points}. ${said}`;
  }

  protected override key(): TemplateResult {
    const { knee, recommendation, good, limit } = this.marks;
    return html`<span><i></i>statements per second, modelled</span><span><i class="band"></i>5th to 95th percentile</span>
      ${this.slices.length === 0 ? '' : html`<span><i class="dot"></i>single measurements</span>`}
      ${knee === null ? '' : html`<span><i class="knee"></i>levels off at ${knee}</span>`}
      ${recommendation === null ? '' : html`<span><i class="max"></i>recommended max ${recommendation.max}</span>`}
      ${good === null ? '' : html`<span><i class="good"></i>90 % of the best at ${good}</span>`}
      ${limit === null ? '' : html`<span><i class="limit"></i>limit at ${limit}</span>`}`;
  }

  protected override table(): TemplateResult {
    return html`<table>
      <thead><tr><th scope="col">Pool size</th><th scope="col">Statements/s</th><th scope="col">5–95 %</th><th scope="col">Mean</th></tr></thead>
      <tbody>${this.sizes.map(
        ({
          size,
          throughput,
          low,
          high,
          meanMs,
        }) => html`<tr class=${size === this.marks.recommendation?.max ? 'recommended' : ''}>
        <th scope="row">${size}</th><td>${formatNumber(throughput)}</td><td>${formatNumber(low)}–${formatNumber(high)}</td><td>${formatNumber(meanMs)} ms</td></tr>`,
      )}
      </tbody></table>`;
  }
}

/** Tells the browser what `<poolguard-curve>` is. */
export function defineCurveChart(): void {
  define('poolguard-curve', CurveChart);
}
