import { area, line } from 'd3-shape';
import { html, type Markup } from '../html/markup.ts';
import type { Line, LineChart, Mark, Point } from '../report.ts';
import { formatFigure, formatTick } from '../units.ts';
import { horizontalScale, type Scale, thinTicks, verticalScale } from './scales.ts';

const width = 720;
const plotHeight = 260;
const bottom = 44;
const labelRow = 17;

interface Drawing {
  readonly chart: LineChart;
  readonly x: Scale;
  readonly y: Scale;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
}

/** Lines over an axis with their bands, single measurements and marks. Null when there is no point to draw. */
export function lineChart(chart: LineChart): Markup | null {
  const points = pointsOf(chart);
  if (points.length === 0) return null;
  const right = width - (namesOnRight(chart) ? 12 + longestName(chart) * 7.6 : 22);
  const left = 32 + 7 * longestTick(chart, points);
  const x = horizontalScale(
    chart.x,
    [...points, ...(chart.marks ?? []).map(({ at }) => ({ x: at }))].map((point) => point.x),
    [left, right],
  );
  const marks = chart.marks ?? [];
  const labels = placeLabels(
    marks.map(({ at, label }) => ({ x: x.place(at), text: label })),
    [left, right],
  );
  const rows = Math.max(0, ...labels.map(({ row }) => row + 1));
  const top = 10 + rows * labelRow;
  const base = top + plotHeight;
  const drawing: Drawing = {
    chart,
    x,
    y: verticalScale(
      chart.y,
      points.map(({ y }) => y),
      [base, top],
    ),
    left,
    right,
    top,
    base,
  };
  return html`<svg viewBox="0 0 ${width} ${base + bottom}" role="img" aria-label="${describe(chart)}">
    ${axes(drawing)}
    ${marks.map((mark) => markLine(mark, drawing))}
    ${chart.lines.map((each, index) => band(each, index, drawing))}
    ${(chart.dots ?? []).map((dot) => html`<circle class="dot${dot.isFaint ? ' unheard' : ''}" cx="${at(x.place(dot.x))}" cy="${at(drawing.y.place(dot.y))}" r="2.2"/>`)}
    ${chart.lines.map((each, index) => curve(each, index, drawing))}
    ${labels.map(({ index, row, x: place, anchor }) => html`<text class="mark-label ${marks[index]?.kind ?? ''}" x="${at(place)}" y="${top - 7 - row * labelRow}" text-anchor="${anchor}">${marks[index]?.label ?? ''}</text>`)}
    ${namesOnRight(chart) ? names(drawing) : null}
  </svg>`;
}

/** All that must have its place on the axes. */
function pointsOf(chart: LineChart): readonly Point[] {
  return [
    ...chart.lines.flatMap(({ points, band = [] }) => [
      ...points,
      ...band.flatMap(({ x, low, high }) => [
        { x, y: low },
        { x, y: high },
      ]),
    ]),
    ...(chart.dots ?? []),
  ];
}

function longestTick({ y }: LineChart, points: readonly Point[]): number {
  return Math.max(
    ...verticalScale(
      y,
      points.map((point) => point.y),
      [1, 0],
    ).ticks.map((value) => formatTick(value, y.unit).length),
  );
}

/** A single line is named by the title. */
function namesOnRight({ lines }: LineChart): boolean {
  return lines.filter(({ isGuide }) => isGuide !== true).length > 1;
}

function longestName({ lines }: LineChart): number {
  return Math.max(...lines.map(({ name }) => name.length));
}

function axes({ chart, x, y, left, right, base, top }: Drawing): Markup {
  return html`<g class="grid">${y.ticks.map((value) => html`<line x1="${left}" x2="${at(right)}" y1="${at(y.place(value))}" y2="${at(y.place(value))}"/>`)}</g>
    <g class="axis">
      ${thinTicks({ ...y, place: (value) => -y.place(value) }, 15).map((value) => html`<text x="${left - 9}" y="${at(y.place(value) + 4)}" text-anchor="end">${formatTick(value, chart.y.unit)}</text>`)}
      <line x1="${left}" x2="${at(right)}" y1="${base}" y2="${base}"/>
      ${x.ticks.map((value) => html`<line x1="${at(x.place(value))}" x2="${at(x.place(value))}" y1="${base}" y2="${base + 4}"/>`)}
      ${thinTicks(x, 26).map((value) => html`<text x="${at(x.place(value))}" y="${base + 18}" text-anchor="middle">${formatTick(value, chart.x.unit)}</text>`)}
      <text class="axis-name" x="${at((left + right) / 2)}" y="${base + 37}" text-anchor="middle">${chart.x.label}</text>
      <text class="axis-name" transform="translate(12 ${at((top + base) / 2)}) rotate(-90)" text-anchor="middle">${chart.y.label}</text>
    </g>`;
}

function markLine({ at: place, stretch, kind, label }: Mark, { x, top, base }: Drawing): Markup {
  const shade =
    stretch === undefined
      ? null
      : html`<rect class="stretch ${kind}" x="${at(x.place(stretch[0]))}" width="${at(x.place(stretch[1]) - x.place(stretch[0]))}" y="${top}" height="${plotHeight}"/>`;
  return html`${shade}<line class="mark-line ${kind}" x1="${at(x.place(place))}" x2="${at(x.place(place))}" y1="${top - 3}" y2="${base}"><title>${label}</title></line>`;
}

function band({ band: bounds = [] }: Line, index: number, { x, y }: Drawing): Markup | null {
  const draw = area<(typeof bounds)[number]>(
    (each) => x.place(each.x),
    (each) => y.place(each.low),
    (each) => y.place(each.high),
  ).digits(1);
  const path = draw(bounds);
  return bounds.length < 2 || path === null
    ? null
    : html`<path class="band ink-${index}" d="${path}"/>`;
}

function curve({ name, points, isGuide }: Line, index: number, { chart, x, y }: Drawing): Markup {
  const draw = line<Point>(
    (each) => x.place(each.x),
    (each) => y.place(each.y),
  ).digits(1);
  const path = draw(points);
  const tip = (point: Point) =>
    `${name}: ${formatFigure(point.y, chart.y.unit)} at ${formatFigure(point.x, chart.x.unit)}`;
  const knots = isGuide === true || points.length > 20 ? [] : points;
  return html`${path === null ? null : html`<path class="${isGuide === true ? 'guide' : `line ink-${index}`}" d="${path}"/>`}
    ${knots.map((point) => html`<circle class="knot ink-${index}" cx="${at(x.place(point.x))}" cy="${at(y.place(point.y))}" r="3.6"><title>${tip(point)}</title></circle>`)}`;
}

/** Each name at the end of its line. */
function names({ chart, x, y, base }: Drawing): Markup {
  const ends = chart.lines.flatMap(({ name, points }, index) => {
    const end = points.at(-1);
    return end === undefined ? [] : [{ name, index, x: x.place(end.x), y: y.place(end.y) }];
  });
  const heights = spread(
    ends.map((end) => end.y),
    15,
    base - 6,
  );
  return html`${ends.map((end, index) => html`<text class="name ink-${end.index}" x="${at(Math.max(end.x, ...ends.map((each) => each.x)) + 9)}" y="${at((heights[index] ?? end.y) + 4)}">${end.name}</text>`)}`;
}

function describe({ title, lines, x, y, marks = [] }: LineChart): string {
  const told = lines
    .filter(({ isGuide }) => isGuide !== true)
    .map(
      ({ name, points }) =>
        `${name}: ${points
          .slice(0, 40)
          .map((point) => `${formatFigure(point.y, y.unit)} at ${formatFigure(point.x, x.unit)}`)
          .join(', ')}`,
    );
  return [
    `${title}.`,
    `Across: ${x.label}.`,
    ...told.map((text) => `${text}.`),
    ...marks.map(({ label }) => `${label}.`),
  ].join(' ');
}

function at(place: number): string {
  return String(Math.round(place * 10) / 10);
}

/** A label above the drawing, to be kept clear of its neighbours. */
interface PlacedLabel {
  /** Index into the places that were given. */
  readonly index: number;
  /** 0 is the lowest, next to the drawing. */
  readonly row: number;
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Mean width of a character of the labels, in units of the drawing. */
const characterWidth = 6.6;
const gap = 10;

/** Puts each label above its place, in the lowest row that has room for it, and inside of the drawing. */
export function placeLabels(
  labels: readonly { readonly x: number; readonly text: string }[],
  [left, right]: readonly [number, number],
): readonly PlacedLabel[] {
  const order = labels.map((label, index) => ({ ...label, index })).sort((a, b) => a.x - b.x);
  const ends: number[] = [];
  return order.map(({ x, text, index }) => {
    const width = text.length * characterWidth;
    const anchor = x - width / 2 < left ? 'start' : x + width / 2 > right ? 'end' : 'middle';
    const start = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    const free = ends.findIndex((end) => end + gap <= start);
    const row = free === -1 ? ends.length : free;
    ends[row] = start + width;
    return { index, row, x, anchor };
  });
}

/** Moves heights apart until neighbours keep a distance, in the order given, none below `lowest`. */
export function spread(
  heights: readonly number[],
  distance: number,
  lowest: number,
): readonly number[] {
  const order = heights
    .map((height, index) => ({ height, index }))
    .sort((a, b) => a.height - b.height);
  const moved: number[] = [];
  for (const { height } of order)
    moved.push(Math.max(height, (moved.at(-1) ?? -Infinity) + distance));
  const excess = Math.max(0, (moved.at(-1) ?? lowest) - lowest);
  for (
    let index = moved.length - 1, limit = lowest;
    excess > 0 && index >= 0;
    index -= 1, limit = (moved[index + 1] ?? lowest) - distance
  )
    moved[index] = Math.min(moved[index] ?? limit, limit);
  return heights.map((_, index) => moved[order.findIndex((each) => each.index === index)] ?? 0);
}
