import type { Inflection, RampCell, RampResult } from '../../probe/ramp/ramp-result.ts';
import { field, type Field, type LineChart, type Mark, type Report, tableOf } from '../report.ts';
import { formatFigure } from '../units.ts';
import { headOf, measured } from './head.ts';
import { failedShare, fieldsOfLoad } from './load-fields.ts';

const fields: readonly Field<RampCell>[] = [
  field('max', 'max', 'count', ({ max }) => max),
  field('arrivals_per_second', 'arrivals/s', 'rate', ({ rate }) => rate),
  ...fieldsOfLoad(
    ({ load }: RampCell) => load,
    [
      'throughput_per_second',
      'average_ms',
      'wait_ms',
      'p50_ms',
      'p95_ms',
      'p99_ms',
      'peak_waiting',
    ],
  ),
  field('failed', 'failed', 'share', ({ load }) => failedShare(load)),
  ...fieldsOfLoad(({ load }: RampCell) => load, ['errors']).map((field) => ({
    ...field,
    isMinor: true,
  })),
];

const inflectionFields: readonly Field<Inflection>[] = [
  field('max', 'max', 'count', ({ max }) => max),
  field('inflection_per_second', 'falls behind at', 'rate', ({ rate }) => rate),
  field('because', 'why', 'text', ({ because }) => because),
];

/** Arrivals that do not wait, faster and faster, at several pool sizes. */
export function rampReport(result: RampResult): Report {
  const { cells, inflections, waitLimitMs } = result;
  const isBehind = ({ max, rate }: RampCell) =>
    inflections.some((each) => each.max === max && each.rate !== null && rate >= each.rate);
  return {
    ...headOf(result),
    title: 'Arrivals by pool size',
    verdict: measured(result),
    facts: [],
    snippets: [],
    sections: [
      {
        title: 'Latency by rate of arrivals',
        charts: [latencyChart(result), failureChart(result)],
        tables: [
          tableOf('Load by pool size and rate', fields, cells, (cell) =>
            isBehind(cell) ? { mark: 'behind', tone: 'warn' } : {},
          ),
        ],
        sentences: [
          `Arrivals come at random moments and do not wait for each other; times are counted from the moment they were meant for. One that waits for a client longer than ${formatFigure(waitLimitMs, 'ms')} fails.`,
        ],
      },
      ...(inflections.length === 0
        ? []
        : [
            {
              title: 'Where each size falls behind',
              tables: [
                tableOf(
                  'First rate at which a size no longer keeps up',
                  inflectionFields,
                  inflections,
                ),
              ],
            },
          ]),
    ],
  };
}

function latencyChart(result: RampResult): LineChart {
  const { chart, lineOf } = byRate(result);
  return {
    ...chart,
    title:
      'Latency by rate of arrivals, a line for each max (95th percentile, or the average where there is none)',
    y: { label: 'latency', unit: 'ms', scale: 'log' },
    lines: lineOf(({ load: { latency } }) => latency?.p95Ms ?? latency?.averageMs ?? null),
    marks: inflectionMarks(result),
  };
}

function failureChart(result: RampResult): LineChart {
  const { chart, lineOf } = byRate(result);
  return {
    ...chart,
    title: 'Share of arrivals that failed, a line for each max',
    y: { label: 'failed', unit: 'share', scale: 'linear' },
    lines: lineOf(({ load }) => failedShare(load)),
  };
}

function byRate({ cells }: RampResult) {
  const sizes = [...new Set(cells.map(({ max }) => max))];
  const rates = [...new Set(cells.map(({ rate }) => rate))];
  return {
    chart: {
      kind: 'lines',
      x: { label: 'arrivals per second', unit: 'rate', scale: 'log', ticks: rates },
    } as const,
    lineOf: (read: (cell: RampCell) => number | null) =>
      sizes.map((max) => ({
        name: `max ${max}`,
        points: cells
          .filter((cell) => cell.max === max)
          .flatMap((cell) =>
            [read(cell)].flatMap((y) => (y === null ? [] : [{ x: cell.rate, y }])),
          ),
      })),
  };
}

/** Sizes that fall behind at the same rate share a mark. */
function inflectionMarks({ inflections }: RampResult): readonly Mark[] {
  const rates = [...new Set(inflections.flatMap(({ rate }) => (rate === null ? [] : [rate])))];
  return rates.map((rate) => ({
    kind: 'inflection',
    at: rate,
    label: `max ${inflections
      .filter((each) => each.rate === rate)
      .map(({ max }) => max)
      .join(', ')} falls behind`,
  }));
}
