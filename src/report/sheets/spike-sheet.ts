import type { SpikeResult, SpikeRow } from '../../probe/spike/spike-result.ts';
import { field, type Field, type LineChart, type Sheet, tableOf, type Tone } from '../sheet.ts';
import { formatFigure } from '../units.ts';

const verdicts: Readonly<
  Record<SpikeResult['verdict']['kind'], readonly [title: string, tone: Tone]>
> = {
  'rides-it-out': ['Rides it out.', 'good'],
  recovers: ['Recovers.', 'neutral'],
  'never-recovers': ['Never recovers.', 'bad'],
};

const fields: readonly Field<SpikeRow>[] = [
  field('max', 'max', 'count', ({ max }) => max),
  field('utilisation', 'in use before', 'share', ({ utilisation }) => utilisation),
  field('backlog', 'backlog', 'count', ({ backlog }) => backlog),
  field('reached_wait_ms', 'slowest waits', 'ms', ({ reachedWaitMs }) => reachedWaitMs),
  field('longest_wait_ms', 'if it stays slow', 'ms', ({ longestWaitMs }) => longestWaitMs),
  field('drain_ms', 'drained after', 'ms', ({ drainMs }) => drainMs),
  field('refused', 'gave up', 'count', ({ refused }) => refused),
];

/** What a stall of the server does to a pool, by arithmetic. */
export function spikeSheet({
  input,
  needed,
  neededInSpike,
  rows,
  verdict,
  notes,
}: SpikeResult): Sheet {
  const [title, tone] = verdicts[verdict.kind];
  const ms = (value: number) => formatFigure(value, 'ms');
  const patience =
    input.waitLimitMs === null
      ? 'no request times out'
      : `callers give up after ${ms(input.waitLimitMs)}`;
  return {
    title: 'A spike of slow statements',
    place: [
      `${formatFigure(input.rate, 'rate')} requests/s`,
      `a client held for ${ms(input.holdMs)}, during the spike ${ms(input.spikeHoldMs)}`,
      `a spike of ${ms(input.spikeMs)}`,
      patience,
    ],
    statements: [],
    verdict: { tone, title, sentences: [verdict.because] },
    facts: [
      {
        label: 'clients needed',
        value: formatFigure(Math.ceil(needed), 'count'),
        detail: 'on a good day: rate × hold time',
      },
      {
        label: 'clients needed in the spike',
        value: formatFigure(Math.ceil(neededInSpike), 'count'),
        detail: 'without any wait',
      },
    ],
    snippets: [],
    sections: [
      {
        title: 'By pool size',
        ...(rows.length > 1 && { charts: [waitChart(rows)] }),
        tables: [
          tableOf('What the spike does to each size', fields, rows, ({ drainMs, backlog }) =>
            drainMs === null
              ? { mark: 'never drains', tone: 'bad' }
              : backlog === 0
                ? { mark: 'no line', tone: 'good' }
                : {},
          ),
        ],
      },
    ],
    errors: {},
    notes,
  };
}

function waitChart(rows: readonly SpikeRow[]): LineChart {
  return {
    kind: 'lines',
    title: 'Wait of the slowest request, and time until the line is gone, by pool size',
    x: { label: 'max', unit: 'count', scale: 'log', ticks: rows.map(({ max }) => max) },
    y: { label: 'time', unit: 'ms', scale: 'linear' },
    lines: [
      {
        name: 'slowest waits',
        points: rows.map(({ max, reachedWaitMs }) => ({ x: max, y: reachedWaitMs })),
      },
      {
        name: 'drained after',
        points: rows.flatMap(({ max, drainMs }) =>
          drainMs === null ? [] : [{ x: max, y: drainMs }],
        ),
      },
    ],
  };
}
