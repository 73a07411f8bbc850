import type { UserStage } from '../../probe/experiment.ts';
import type { UsersResult, UsersRow } from '../../probe/users/users-result.ts';
import {
  field,
  type Field,
  type LineChart,
  type Section,
  type Report,
  tableOf,
} from '../report.ts';
import { headOf, pickFacts, sentencesOf } from './head.ts';
import { fieldsOfLoad, latencyChart, type LatencyLine } from './load-fields.ts';

const fields: readonly Field<UsersRow>[] = [
  field('max', 'max', 'count', (row) => row.max),
  ...fieldsOfLoad(
    ({ load }: UsersRow) => load,
    ['requests', 'average_ms', 'p95_ms', 'peak_waiting'],
  ).map((field) => ({ ...field, isMinor: false })),
  field('gain', 'gain', 'change', (row) => row.gain),
  field('gain_per_connection', 'gain/connection', 'rate', (row) => row.gainPerConnection),
  ...fieldsOfLoad(({ load }: UsersRow) => load, ['wait_ms', 'errors']).map((field) => ({
    ...field,
    isMinor: true,
  })),
];

const lines: readonly LatencyLine<UsersRow>[] = [
  ['average', ({ load }) => load.latency?.averageMs],
  ['p95', ({ load }) => load.latency?.p95Ms],
  ['p99', ({ load }) => load.latency?.p99Ms],
];

/** Users who pause between requests, against one pool size after the other. */
export function usersReport(result: UsersResult): Report {
  const { rows, pick, stages, thinkMs, verdict, partial } = result;
  const table = tableOf('Load by pool size', fields, rows, ({ max, samples }) => ({
    course: samples.map(({ waiting }) => waiting),
    ...(max === pick && { mark: 'recommended', tone: 'good' as const }),
  }));
  return {
    ...headOf(result),
    title: 'Pool size under users',
    verdict: {
      tone: pick === null ? 'warn' : 'good',
      title: pick === null ? 'No size is enough.' : 'Found.',
      sentences: sentencesOf({ verdict, partial }),
    },
    facts: pickFacts(pick),
    snippets:
      pick === null
        ? []
        : [{ language: 'js', title: 'In the application', text: `new Pool({ max: ${pick} })` }],
    sections: [
      {
        title: 'Load by pool size',
        charts: [latencyChart(rows, pick, { y: 'from asking to the last row', lines })],
        tables: [table],
        sentences: [`${describeStages(stages)}, each pausing ${thinkMs} ms between requests.`],
      },
      ...waitingSection(rows),
    ],
  };
}

/** For example "Users: 10 after 10 s, then 30 after 20 s". */
export function describeStages(stages: readonly UserStage[]): string {
  return `Users: ${stages.map(({ seconds, users }) => `${users} after ${Number(seconds.toFixed(1))} s`).join(', then ')}`;
}

/** Who waited when, a line a pool size; nothing where that was not watched. */
export function waitingSection(
  rows: readonly Pick<UsersRow, 'max' | 'samples'>[],
): readonly Section[] {
  const watched = rows.filter(({ samples }) => samples.length > 1);
  const chart: LineChart = {
    kind: 'lines',
    title: 'Callers waiting for a client over time, by max',
    x: { label: 'seconds since the load began', unit: 'count', scale: 'linear' },
    y: { label: 'waiting', unit: 'count', scale: 'linear' },
    lines: watched.map(({ max, samples }) => ({
      name: `max ${max}`,
      points: samples.map(({ atMs, waiting }) => ({ x: atMs / 1000, y: waiting })),
    })),
  };
  return watched.length === 0 ? [] : [{ title: 'Waiting over time', charts: [chart] }];
}
