import type uPlot from 'uplot';
import type { Recommendation, SizeMeasurement } from '../probe/result.ts';

/** Resolved CSS colours. */
export interface Inks {
  readonly curve: string;
  readonly quiet: string;
  readonly line: string;
  readonly recommended: string;
}

export interface Curve {
  readonly sizes: readonly SizeMeasurement[];
  readonly knee: number | null;
  readonly recommendation: Recommendation | null;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly inks: Inks;
}

const font = '11px system-ui, sans-serif';
const logarithmic = 3;

/** Series 1 is the curve, 2 and 3 are the upper and lower edge of its band. Pool sizes stand on a scale of base 2. */
export function curveOptions({ sizes, knee, recommendation, width, height, inks }: Curve): uPlot.Options {
  const grid = { stroke: inks.line, width: 1 };
  const axis = { stroke: inks.quiet, font, grid, ticks: { ...grid, size: 4 } };
  const labelled = thin(sizes.map(({ size }) => size), width);
  const edge = { stroke: 'transparent', points: { show: false } };
  return {
    width,
    height,
    padding: [14, 14, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, distr: logarithmic, log: 2, range: () => sizeRange(sizes) },
      y: { range: (_plot, _low, high) => [0, high * 1.1] },
    },
    axes: [
      { ...axis, size: 40, label: 'pool size', labelFont: font, labelSize: 16, splits: () => [...labelled], filter: (_plot, splits) => splits, values: (_plot, splits) => splits.map(String) },
      { ...axis, size: 46, values: (_plot, splits) => splits.map(shortNumber) },
    ],
    series: [{}, { stroke: inks.curve, width: 2, points: { show: true, size: 6, fill: inks.curve } }, edge, edge],
    bands: [{ series: [2, 3], fill: translucent(inks.curve) }],
    hooks: { drawAxes: [(plot) => drawMarks(plot, knee, recommendation, inks)] },
  };
}

function sizeRange(sizes: readonly SizeMeasurement[]): uPlot.Range.MinMax {
  const all = sizes.map(({ size }) => size);
  return [Math.min(...all) / 1.15, Math.max(...all) * 1.15];
}

/** Leaves out labels that would touch their neighbours: 28 pixels each on the logarithmic scale. */
export function thin(sizes: readonly number[], width: number): readonly number[] {
  const first = sizes[0] ?? 1;
  const span = Math.log2((sizes.at(-1) ?? 1) / first) || 1;
  const room = 28 / Math.max(1, width - 74);
  return sizes.reduce<readonly number[]>((kept, size) => {
    const previous = kept.at(-1);
    return previous === undefined || Math.log2(size / previous) / span >= room ? [...kept, size] : kept;
  }, []);
}

export function shortNumber(value: number): string {
  return value >= 1000 ? `${Number((value / 1000).toFixed(1))}k` : String(value);
}

function drawMarks(plot: uPlot, knee: number | null, recommendation: Recommendation | null, inks: Inks): void {
  const { ctx } = plot;
  ctx.save();
  if (recommendation !== null) {
    const [low, high] = recommendation.interval;
    const left = plot.valToPos(low, 'x', true);
    ctx.fillStyle = translucent(inks.recommended);
    ctx.fillRect(left, plot.bbox.top, plot.valToPos(high, 'x', true) - left, plot.bbox.height);
  }
  if (knee !== null) drawLine(plot, knee, inks.quiet, true);
  if (recommendation !== null) drawLine(plot, recommendation.max, inks.recommended, false);
  ctx.restore();
}

function drawLine(plot: uPlot, size: number, color: string, isDashed: boolean): void {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(size, 'x', true));
  const pixel = window.devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.lineWidth = (isDashed ? 1.5 : 2) * pixel;
  ctx.setLineDash(isDashed ? [5 * pixel, 4 * pixel] : []);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
}

/** `rgb(1, 2, 3)` as computed by the browser, at a fifth of its opacity. */
function translucent(color: string): string {
  return `color-mix(in srgb, ${color} 20%, transparent)`;
}
