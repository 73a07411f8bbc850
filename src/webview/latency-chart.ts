import { html, type TemplateResult } from 'lit';
import uPlot from 'uplot';
import { formatNumber } from './format.ts';
import { chartFont, type Inks, stillFrame, translucent } from './inks.ts';
import { latencyGroups, type LatencyBar, type LatencyGroup } from './latency-bars.ts';
import type { PoolValidation } from '../probe/result.ts';
import { PlotElement, type Plot } from './plot-element.ts';

interface Place {
  readonly x: number;
  readonly bar: LatencyBar;
}

/** How long callers of a real pool waited: the average by its parts, and percentiles, for each kind of load. */
export class LatencyChart extends PlotElement {
  static override properties = { validation: { attribute: false }, height: { type: Number } };
  declare validation: PoolValidation | null;

  constructor() {
    super();
    this.validation = null;
    this.height = 200;
  }

  protected override plot(width: number, inks: Inks): Plot | null {
    const groups = latencyGroups(this.validation);
    const places = toPlaces(groups);
    if (places.length === 0) return null;
    const values = (value: (bar: LatencyBar) => number | null): (number | null)[] =>
      places.map(({ bar }) => value(bar));
    return {
      options: toOptions(places, groups, width, this.height, inks),
      // What is drawn later covers what is drawn before: the part in the database stands in front of the whole.
      data: [
        places.map(({ x }) => x),
        values(({ waitMs, totalMs }) => (waitMs === null ? null : totalMs)),
        values(({ waitMs, totalMs }) => (waitMs === null ? null : totalMs - waitMs)),
        values(({ waitMs, totalMs }) => (waitMs === null ? totalMs : null)),
      ],
    };
  }

  protected override describe(): string {
    const said = latencyGroups(this.validation).map(
      ({ name, bars }) =>
        `${name}: ${bars.map((bar) => `${bar.name} ${formatMs(bar.totalMs)}${bar.waitMs === null ? '' : `, of which ${formatMs(bar.waitMs)} waiting for a client`}`).join(', ')}`,
    );
    return `Latency of a real pool. ${said.join('. ')}.`;
  }

  protected override key(): TemplateResult {
    return html`<span><i class="box wait"></i>waiting for a client</span><span><i class="box database"></i>in the database</span><span><i class="box percentile"></i>percentiles of the total latency</span>`;
  }

  protected override table(): TemplateResult {
    return html`<table>
      <thead><tr><th scope="col">Load</th><th scope="col">Average</th><th scope="col">Waiting</th><th scope="col">Database</th><th scope="col">p50</th><th scope="col">p95</th><th scope="col">p99</th><th scope="col">Most waiting</th></tr></thead>
      <tbody>${latencyGroups(this.validation).map(
        ({
          name,
          load: { latency, wait, database, peakWaiting },
        }) => html`<tr><th scope="row">${name}</th>
        <td>${formatMs(latency?.averageMs)}</td><td>${formatMs(wait?.averageMs)}</td><td>${formatMs(database?.averageMs)}</td><td>${formatMs(latency?.p50Ms)}</td><td>${formatMs(latency?.p95Ms)}</td><td>${formatMs(latency?.p99Ms)}</td><td>${peakWaiting}</td></tr>`,
      )}
      </tbody></table>`;
  }
}

/** Bars of a group stand side by side, groups a bar apart. */
function toPlaces(groups: readonly LatencyGroup[]): readonly Place[] {
  let x = 0;
  return groups.flatMap(({ bars }) => {
    const placed = bars.map((bar, index) => ({ x: x + index, bar }));
    x += bars.length + 1;
    return placed;
  });
}

function toOptions(
  places: readonly Place[],
  groups: readonly LatencyGroup[],
  width: number,
  height: number,
  inks: Inks,
): uPlot.Options {
  const grid = { stroke: inks.line, width: 1 };
  const last = places.at(-1)?.x ?? 0;
  const bars = uPlot.paths.bars?.({ size: [0.7, 44], align: 0 });
  const series = (color: string): uPlot.Series => ({
    fill: color,
    stroke: color,
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  });
  const named = new Map(places.map(({ x, bar }) => [x, bar.name]));
  return {
    ...stillFrame(width, height),
    scales: {
      x: { time: false, range: () => [-0.75, last + 0.75] },
      y: { range: (_plot, _low, high) => [0, high * 1.15] },
    },
    axes: [
      {
        stroke: inks.quiet,
        font: chartFont,
        grid: { show: false },
        ticks: { show: false },
        size: 22,
        splits: () => [...named.keys()],
        filter: (_plot, splits) => splits,
        values: (_plot, splits) => splits.map((x) => named.get(x) ?? ''),
      },
      {
        stroke: inks.quiet,
        font: chartFont,
        grid,
        ticks: { ...grid, size: 4 },
        size: 58,
        values: (_plot, splits) => splits.map((value) => `${Number(value.toFixed(2))} ms`),
      },
    ],
    series: [
      {},
      series(inks['state-waiting']),
      series(inks.curve),
      series(translucent(inks.curve, 45)),
    ],
    hooks: { draw: [(plot) => drawFigures(plot, places, groups, inks)] },
  };
}

/** The figure above each bar, and above each group whose it is. */
function drawFigures(
  plot: uPlot,
  places: readonly Place[],
  groups: readonly LatencyGroup[],
  inks: Inks,
): void {
  const { ctx, bbox } = plot;
  const pixel = window.devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * pixel}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.fillStyle = inks.ink;
  for (const { x, bar } of places)
    ctx.fillText(
      formatNumber(bar.totalMs),
      plot.valToPos(x, 'x', true),
      plot.valToPos(bar.totalMs, 'y', true) - 4 * pixel,
    );
  ctx.fillStyle = inks.quiet;
  let first = 0;
  for (const { name, bars } of groups) {
    ctx.fillText(
      name,
      plot.valToPos(first + (bars.length - 1) / 2, 'x', true),
      bbox.top - 3 * pixel,
    );
    first += bars.length + 1;
  }
  ctx.restore();
}

function formatMs(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? '–' : `${formatNumber(ms)} ms`;
}
