import type uPlot from 'uplot';
import type { Recommendation, SizeMeasurement, SizeResult, Slice } from '../probe/result.ts';
import { correctionOf, trustIn } from '../probe/size/contention.ts';
import { chartFont, type Inks, stillFrame, translucent } from './inks.ts';

/** Pool sizes that mean something. */
export interface Marks {
  readonly knee: number | null;
  readonly recommendation: Recommendation | null;
  /** The smallest size with 90 % of the best throughput, where it is another than the recommended one. */
  readonly good: number | null;
  /** What all pools together may have at most, where that lies among the sizes that were tried. */
  readonly limit: number | null;
}

export interface Curve {
  readonly sizes: readonly SizeMeasurement[];
  /** Drawn as dots; may be none. */
  readonly slices: readonly Slice[];
  readonly marks: Marks;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly inks: Inks;
}

const logarithmic = 3;

/** Series 1 is the curve, 2 and 3 are the upper and lower edge of its band. Pool sizes stand on a scale of base 2. */
export function curveOptions({ sizes, slices, marks, width, height, inks }: Curve): uPlot.Options {
  const grid = { stroke: inks.line, width: 1 };
  const axis = { stroke: inks.quiet, font: chartFont, grid, ticks: { ...grid, size: 4 } };
  const labelled = thin(
    sizes.map(({ size }) => size),
    width,
  );
  const edge = { stroke: 'transparent', points: { show: false } };
  return {
    ...stillFrame(width, height),
    scales: {
      x: { time: false, distr: logarithmic, log: 2, range: () => sizeRange(sizes) },
      y: {
        range: (_plot, _low, high) => [
          0,
          Math.max(high, ...slices.map(({ throughput }) => throughput)) * 1.1,
        ],
      },
    },
    axes: [
      {
        ...axis,
        size: 40,
        label: 'pool size',
        labelFont: chartFont,
        labelSize: 16,
        splits: () => [...labelled],
        filter: (_plot, splits) => splits,
        values: (_plot, splits) => splits.map(String),
      },
      { ...axis, size: 46, values: (_plot, splits) => splits.map(shortNumber) },
    ],
    series: [
      {},
      { stroke: inks.curve, width: 2, points: { show: true, size: 6, fill: inks.curve } },
      edge,
      edge,
    ],
    bands: [{ series: [2, 3], fill: translucent(inks.curve) }],
    hooks: {
      drawAxes: [(plot) => drawMarks(plot, marks, inks), (plot) => drawSlices(plot, slices, inks)],
    },
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
    return previous === undefined || Math.log2(size / previous) / span >= room
      ? [...kept, size]
      : kept;
  }, []);
}

export function shortNumber(value: number): string {
  return value >= 1000 ? `${Number((value / 1000).toFixed(1))}k` : String(value);
}

function drawMarks(plot: uPlot, { knee, recommendation, good, limit }: Marks, inks: Inks): void {
  const { ctx } = plot;
  ctx.save();
  if (recommendation !== null) {
    const [low, high] = recommendation.interval;
    const left = plot.valToPos(low, 'x', true);
    ctx.fillStyle = translucent(inks.recommended);
    ctx.fillRect(left, plot.bbox.top, plot.valToPos(high, 'x', true) - left, plot.bbox.height);
  }
  if (knee !== null) drawLine(plot, knee, inks.quiet, [5, 4]);
  if (good !== null) drawLine(plot, good, inks.recommended, [8, 3]);
  if (limit !== null) drawLine(plot, limit, inks.error, [2, 3]);
  if (recommendation !== null) drawLine(plot, recommendation.max, inks.recommended, []);
  ctx.restore();
}

/** Each slice as a faint dot, corrected for other programs; one that therefore weighs less than half as a ring. */
function drawSlices(plot: uPlot, slices: readonly Slice[], { ink }: Inks): void {
  const { ctx } = plot;
  const pixel = window.devicePixelRatio;
  ctx.save();
  ctx.fillStyle = ctx.strokeStyle = translucent(ink, 35);
  ctx.lineWidth = pixel;
  for (const slice of slices) {
    const correction = correctionOf(slice);
    ctx.beginPath();
    ctx.arc(
      plot.valToPos(slice.size, 'x', true),
      plot.valToPos(slice.throughput * Math.exp(correction), 'y', true),
      2 * pixel,
      0,
      2 * Math.PI,
    );
    if (trustIn(correction) < 1 / 2) ctx.stroke();
    else ctx.fill();
  }
  ctx.restore();
}

/** @param dash In pixels of the page; none for a solid line. */
function drawLine(plot: uPlot, size: number, color: string, dash: readonly number[]): void {
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(size, 'x', true));
  const pixel = window.devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.lineWidth = (dash.length > 0 ? 1.5 : 2) * pixel;
  ctx.setLineDash(dash.map((length) => length * pixel));
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
}

/**
 * What to mark on the curve of a result. The curve is about all pools together, a recommendation about one of them:
 * it is marked where there is one pool only.
 */
export function marksOf({
  sizes,
  knee,
  recommendation,
  goodSize,
  limits: { pools, limits },
}: SizeResult): Marks {
  const shown = pools === 1 ? recommendation : null;
  const most = (limits[0]?.perPool ?? Infinity) * pools;
  return {
    knee,
    recommendation: shown,
    good: goodSize === shown?.max ? null : goodSize,
    limit: isAmong(most, sizes) ? most : null,
  };
}

function isAmong(size: number, sizes: SizeResult['sizes']): boolean {
  const all = sizes.map((each) => each.size);
  return size >= Math.min(...all) && size <= Math.max(...all);
}
