import type { SweepResult, SweepRow, SweepVerdict } from '../../sweep/sweep-result.ts';
import { describeErrors } from '../error-text.ts';
import { type Field, type Section, type Sheet, type SheetVerdict, tableOf } from '../sheet.ts';
import { sentencesOf } from './head.ts';
import { latencyChart, type LatencyLine } from './load-fields.ts';
import { limitsSection } from './limits-section.ts';
import { describeStages, waitingChart } from './users-sheet.ts';

/** The table of the field report. */
const fields: readonly Field<SweepRow>[] = [
  { key: 'max', label: 'max', unit: 'count', of: ({ max }) => max },
  { key: 'requests', label: 'requests', unit: 'count', of: ({ requests }) => requests },
  {
    key: 'average_ms',
    label: 'average',
    unit: 'ms',
    of: ({ latency }) => latency?.averageMs ?? null,
  },
  { key: 'p95_ms', label: 'p95', unit: 'ms', of: ({ latency }) => latency?.p95Ms ?? null },
  { key: 'peak_waiting', label: 'peak queue', unit: 'count', of: ({ peakWaiting }) => peakWaiting },
  { key: 'gain', label: 'gain', unit: 'change', of: ({ gain }) => gain },
  {
    key: 'gain_per_connection',
    label: 'gain/connection',
    unit: 'rate',
    of: ({ gainPerConnection }) => gainPerConnection,
  },
  {
    key: 'errors',
    label: 'errors',
    unit: 'text',
    isMinor: true,
    of: ({ errors }) => describeErrors(errors),
  },
];

const details: readonly Field<SweepRow>[] = [
  { key: 'max', label: 'max', unit: 'count', of: ({ max }) => max },
  {
    key: 'pool_max',
    label: 'max of its pool',
    unit: 'count',
    isMinor: true,
    of: ({ seenMax }) => seenMax,
  },
  { key: 'peak_total', label: 'open at most', unit: 'count', of: ({ peakTotal }) => peakTotal },
  { key: 'wait_ms', label: 'wait', unit: 'ms', of: ({ waitMs }) => waitMs },
  { key: 'wait_p95_ms', label: 'wait p95', unit: 'ms', of: ({ waitP95Ms }) => waitP95Ms },
  { key: 'hold_ms', label: 'hold', unit: 'ms', of: ({ holdMs }) => holdMs },
  {
    key: 'p99_ms',
    label: 'p99',
    unit: 'ms',
    isMinor: true,
    of: ({ latency }) => latency?.p99Ms ?? null,
  },
  {
    key: 'throughput_per_second',
    label: 'answers/s',
    unit: 'rate',
    of: ({ throughput }) => throughput,
  },
  {
    key: 'sessions',
    label: 'sessions',
    unit: 'count',
    isMinor: true,
    of: ({ peakSessions }) => peakSessions,
  },
  {
    key: 'active',
    label: 'active',
    unit: 'rate',
    isMinor: true,
    of: ({ averageActive }) => averageActive,
  },
  { key: 'application_cores', label: 'application', unit: 'cores', of: ({ appCores }) => appCores },
  {
    key: 'load_busy',
    label: 'load busy',
    unit: 'share',
    isMinor: true,
    of: ({ generator }) => generator.busy,
  },
  {
    key: 'idle_cores',
    label: 'idle',
    unit: 'cores',
    isMinor: true,
    of: ({ idleCores }) => idleCores,
  },
];

const titles: Readonly<Record<SweepVerdict['kind'], readonly [SheetVerdict['tone'], string]>> = {
  found: ['good', 'Found.'],
  'no-difference': ['warn', 'No difference can be told.'],
  'app-bound': ['good', 'The application is the limit.'],
  'host-bound': ['warn', 'This machine is the limit.'],
  'generator-bound': ['warn', 'The load is the limit.'],
  'not-saturated': ['warn', 'Not saturated.'],
  'not-read': ['bad', 'The size is not read.'],
  'one-size': ['neutral', 'One size.'],
  'no-answers': ['bad', 'No answers.'],
};

const lines: readonly LatencyLine<SweepRow>[] = [
  ['average', ({ latency }) => latency?.averageMs],
  ['p95', ({ latency }) => latency?.p95Ms],
  ['waiting for a client', ({ waitMs }) => waitMs],
];

/** The user's own application under load, with one pool size after the other. */
export function sweepSheet(result: SweepResult): Sheet {
  const { pick, application, load, verdict, partial, notes, elapsedMs, machine } = result;
  const [tone, title] = titles[verdict.kind];
  return {
    title: 'Pool size of an application',
    place: [
      application.command,
      `${application.method} ${application.url}`,
      `load by ${load.tool}`,
      `${machine.cores} cores`,
      `${(elapsedMs / 1000).toFixed(0)} s`,
    ],
    statements: [],
    verdict: {
      tone: partial === null ? tone : 'warn',
      title,
      sentences: sentencesOf({ verdict, partial }),
    },
    facts:
      pick === null
        ? []
        : [
            {
              label: 'max',
              value: String(pick),
              detail: 'the smallest size that brings nearly all there is',
            },
          ],
    snippets: pick === null ? [] : [snippetOf(application.variable, pick)],
    sections: sectionsOf(result),
    errors: {},
    notes,
  };
}

function snippetOf(variable: string | null, pick: number): Sheet['snippets'][number] {
  return variable === null
    ? { language: 'js', title: 'In the application', text: `new Pool({ max: ${pick} })` }
    : {
        language: 'sh',
        title: 'In the environment of the application',
        text: `${variable}=${pick}`,
      };
}

function sectionsOf({ rows, pick, load, limits }: SweepResult): readonly Section[] {
  const marked = ({ max, samples }: SweepRow) => ({
    course: samples.map(({ waiting }) => waiting),
    ...(max === pick && { mark: 'recommended', tone: 'good' as const }),
  });
  const passes =
    load.passes === 1
      ? ''
      : ` Each size took ${load.passes === 2 ? 'two turns' : `${load.passes} turns`}; requests are those of one, on average.`;
  return [
    {
      title: 'Load by pool size',
      charts: [latencyChart(rows, pick, { y: 'from the request to its whole answer', lines })],
      tables: [tableOf('Load by pool size', fields, rows, marked)],
      sentences: [
        `${describeStages(load.stages)}, each pausing ${load.thinkMs} ms between requests.${passes}`,
      ],
    },
    ...(rows.some(({ samples }) => samples.length > 1)
      ? [{ title: 'Waiting over time', charts: [waitingChart(rows)] }]
      : []),
    {
      title: 'What stood behind it',
      tables: [tableOf('Pool, server and machine by pool size', details, rows)],
      sentences: [
        'Waits and holds are those of the monitor inside the application; cores are those of the busiest quarter of the load.',
      ],
    },
    ...limitsSection({ pools: 1, limits, binding: null }, false),
  ];
}
