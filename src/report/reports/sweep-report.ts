import { clientsOut, findContradictions } from '../../sweep/contradictions.ts';
import type { SweepResult, SweepRow, SweepVerdict } from '../../sweep/sweep-result.ts';
import { describeErrors } from '../units.ts';
import {
  field,
  type Field,
  minor,
  type Section,
  type Report,
  type ReportVerdict,
  tableOf,
} from '../report.ts';
import { pickFacts, sentencesOf } from './head.ts';
import { limitsSection } from './limits-section.ts';
import { latencyChart, type LatencyLine } from './load-fields.ts';
import { describeStages, waitingSection } from './users-report.ts';

/** The table of the field report. */
const fields: readonly Field<SweepRow>[] = [
  field('max', 'max', 'count', (row) => row.max),
  field('requests', 'requests', 'count', (row) => row.requests),
  field('average_ms', 'average', 'ms', ({ latency }) => latency?.averageMs ?? null),
  field('p95_ms', 'p95', 'ms', ({ latency }) => latency?.p95Ms ?? null),
  field('peak_waiting', 'peak queue', 'count', (row) => row.peakWaiting),
  field('gain', 'gain', 'change', (row) => row.gain),
  field('gain_per_connection', 'gain/connection', 'rate', (row) => row.gainPerConnection),
  minor('errors', 'errors', 'text', ({ errors }) => describeErrors(errors)),
];

const details: readonly Field<SweepRow>[] = [
  field('max', 'max', 'count', (row) => row.max),
  minor('pool_max', 'max of its pool', 'count', (row) => row.seenMax),
  field('peak_total', 'open at most', 'count', (row) => row.peakTotal),
  field('wait_ms', 'wait', 'ms', (row) => row.waitMs),
  field('wait_p95_ms', 'wait p95', 'ms', (row) => row.waitP95Ms),
  field('hold_ms', 'hold', 'ms', (row) => row.holdMs),
  minor('checkouts_per_second', 'checkouts/s', 'rate', ({ checkouts, seconds }) =>
    checkouts === null || seconds === 0 ? null : checkouts / seconds,
  ),
  minor('clients_out', 'in use', 'rate', clientsOut),
  minor('p99_ms', 'p99', 'ms', ({ latency }) => latency?.p99Ms ?? null),
  field('throughput_per_second', 'requests/s', 'rate', (row) => row.throughput),
  minor('sessions', 'sessions', 'count', (row) => row.peakSessions),
  minor('active', 'active', 'rate', (row) => row.averageActive),
  field('application_cores', 'application', 'cores', (row) => row.appCores),
  minor('load_busy', 'load busy', 'share', ({ generator }) => generator.busy),
  minor('idle_cores', 'idle', 'cores', (row) => row.idleCores),
];

const titles: Readonly<Record<SweepVerdict['kind'], readonly [ReportVerdict['tone'], string]>> = {
  found: ['good', 'Found.'],
  'no-difference': ['warn', 'No measurable difference.'],
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
export function sweepReport(result: SweepResult): Report {
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
    facts: pickFacts(pick),
    snippets: pick === null ? [] : [snippetOf(application.variable, pick)],
    sections: sectionsOf(result),
    errors: {},
    notes: [...findContradictions(result), ...notes],
  };
}

function snippetOf(variable: string | null, pick: number): Report['snippets'][number] {
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
  const turns = Math.max(...rows.map(({ passes }) => passes.length));
  const average =
    turns > 1
      ? ` Each size ran ${turns === 2 ? 'twice' : `${turns} times`}; requests are those of one run, on average.`
      : '';
  return [
    {
      title: 'Load by pool size',
      charts: [latencyChart(rows, pick, { y: 'from the request to its whole answer', lines })],
      tables: [tableOf('Load by pool size', fields, rows, marked)],
      sentences: [
        `${describeStages(load.stages)}, each pausing ${load.thinkMs} ms between requests.${average}`,
      ],
    },
    ...waitingSection(rows),
    {
      title: 'Pool, server and machine',
      tables: [tableOf('Pool, server and machine by pool size', details, rows)],
      sentences: [
        'Waits and holds are of every checkout of the load, by the monitor inside the application; clients in use are checkouts/s times how long each is held. Cores are those of the busiest quarter of the load.',
      ],
    },
    ...limitsSection({ pools: 1, limits, binding: null }, false),
  ];
}
