import type { UserStage } from '../../probe/experiment.ts';
import type { UsersResult, UsersRow } from '../../probe/users/users-result.ts';
import { type Field, type LineChart, type Sheet, tableOf } from '../sheet.ts';
import { headOf, sentencesOf } from './head.ts';
import { fieldsOfLoad, latencyChart, type LatencyLine } from './load-fields.ts';

const fields: readonly Field<UsersRow>[] = [
  { key: 'max', label: 'max', unit: 'count', of: ({ max }) => max },
  ...fieldsOfLoad(
    ({ load }: UsersRow) => load,
    ['requests', 'average_ms', 'p95_ms', 'peak_waiting'],
  ).map((field) => ({ ...field, isMinor: false })),
  { key: 'gain', label: 'gain', unit: 'change', of: ({ gain }) => gain },
  {
    key: 'gain_per_connection',
    label: 'gain/connection',
    unit: 'rate',
    of: ({ gainPerConnection }) => gainPerConnection,
  },
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
export function usersSheet(result: UsersResult): Sheet {
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
      ...(rows.some(({ samples }) => samples.length > 1)
        ? [{ title: 'Waiting over time', charts: [waitingChart(rows)] }]
        : []),
    ],
  };
}

/** For example "Users: 10 after 10 s, then 30 after 20 s". */
export function describeStages(stages: readonly UserStage[]): string {
  return `Users: ${stages.map(({ seconds, users }) => `${users} after ${Number(seconds.toFixed(1))} s`).join(', then ')}`;
}

/** One line a pool size. */
export function waitingChart(rows: readonly Pick<UsersRow, 'max' | 'samples'>[]): LineChart {
  return {
    kind: 'lines',
    title: 'Callers waiting for a client over time, by max',
    x: { label: 'seconds since the load began', unit: 'count', scale: 'linear' },
    y: { label: 'waiting', unit: 'count', scale: 'linear' },
    lines: rows
      .filter(({ samples }) => samples.length > 1)
      .map(({ max, samples }) => ({
        name: `max ${max}`,
        points: samples.map(({ atMs, waiting }) => ({ x: atMs / 1000, y: waiting })),
      })),
  };
}
