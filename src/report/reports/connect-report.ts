import {
  type ConnectPath,
  type ConnectPhase,
  connectPhases,
  type ConnectResult,
} from '../../probe/connect/connect-result.ts';
import type { Latency } from '../../probe/load/pool-load.ts';
import { describeErrors, formatFigure } from '../units.ts';
import {
  field,
  type Field,
  type Report,
  type StackedChart,
  type Table,
  tableOf,
} from '../report.ts';
import { headOf, measured } from './head.ts';

const phaseNames: Readonly<Record<ConnectPhase, string>> = {
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  authentication: 'authentication',
  firstQuery: 'first query',
};

/** What a new connection costs, by phase and by path. */
export function connectReport(result: ConnectResult): Report {
  const { paths } = result;
  return {
    ...headOf(result),
    title: 'Cost of a new connection',
    verdict: measured(result),
    facts: paths.flatMap(({ name, address, sequential: { total } }) =>
      total === null
        ? []
        : [
            {
              label: pathName(name),
              value: formatFigure(total.averageMs, 'ms'),
              detail: `to ${address}, one after the other`,
            },
          ],
    ),
    snippets: [],
    sections: [
      {
        title: 'One after the other, by phase',
        charts: [phaseChart(paths)],
        tables: [phaseTable(paths)],
      },
      {
        title: 'Many at once',
        tables: [tableOf('Connections made at once', concurrentFields, paths)],
      },
    ],
  };
}

function pathName(name: ConnectPath['name']): string {
  return name === 'direct' ? 'directly' : 'through the pooler';
}

interface PhaseRow {
  readonly name: string;
  readonly of: (path: ConnectPath) => Latency | null;
}

function phaseTable(paths: readonly ConnectPath[]): Table {
  const rows: readonly PhaseRow[] = [
    ...phasesOf(paths).map((phase) => ({
      name: phaseNames[phase],
      of: ({ sequential }: ConnectPath) => sequential.phases[phase] ?? null,
    })),
    { name: 'together', of: ({ sequential }) => sequential.total },
  ];
  const columns: readonly Field<PhaseRow>[] = [
    field('phase', 'phase', 'text', ({ name }) => name),
    ...paths.flatMap((path) => [
      field<PhaseRow>(
        `${path.name}_average_ms`,
        pathName(path.name),
        'ms',
        (row) => row.of(path)?.averageMs ?? null,
      ),
      field<PhaseRow>(`${path.name}_p95_ms`, 'p95', 'ms', (row) => row.of(path)?.p95Ms ?? null),
    ]),
  ];
  return tableOf('Time by phase, average and 95th percentile', columns, rows);
}

function phasesOf(paths: readonly ConnectPath[]): readonly ConnectPhase[] {
  return connectPhases.filter((phase) =>
    paths.some(({ sequential }) => sequential.phases[phase] !== undefined),
  );
}

const concurrentFields: readonly Field<ConnectPath>[] = [
  field('path', 'path', 'text', ({ name }) => pathName(name)),
  field('at_once', 'at once', 'count', ({ concurrent }) => concurrent.at),
  field('average_ms', 'average', 'ms', ({ concurrent }) => concurrent.total?.averageMs ?? null),
  field('p95_ms', 'p95', 'ms', ({ concurrent }) => concurrent.total?.p95Ms ?? null),
  field(
    'connections_per_second',
    'connections/s',
    'rate',
    ({ concurrent }) => concurrent.perSecond,
  ),
  field('errors', 'errors', 'text', ({ concurrent }) => describeErrors(concurrent.errors)),
];

function phaseChart(paths: readonly ConnectPath[]): StackedChart {
  const phases = phasesOf(paths);
  return {
    kind: 'stacked',
    title: 'Average time to a new connection, by phase',
    unit: 'ms',
    parts: phases.map((phase) => phaseNames[phase]),
    bars: paths.map(({ name, sequential }) => ({
      label: pathName(name),
      values: phases.map((phase) => sequential.phases[phase]?.averageMs ?? 0),
    })),
  };
}
