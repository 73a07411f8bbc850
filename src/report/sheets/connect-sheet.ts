import {
  connectPhases,
  type ConnectPath,
  type ConnectPhase,
  type ConnectResult,
} from '../../probe/connect/connect-result.ts';
import type { Latency } from '../../probe/load/pool-load.ts';
import { type Field, type Sheet, type StackedChart, type Table, tableOf } from '../sheet.ts';
import { formatFigure } from '../units.ts';
import { headOf, sentencesOf } from './head.ts';
import { describeErrors } from '../error-text.ts';

const phaseNames: Readonly<Record<ConnectPhase, string>> = {
  dns: 'DNS',
  tcp: 'TCP',
  tls: 'TLS',
  authentication: 'authentication',
  firstQuery: 'first query',
};

/** What a new connection costs, by phase and by path. */
export function connectSheet(result: ConnectResult): Sheet {
  const { paths, verdict, partial } = result;
  return {
    ...headOf(result),
    title: 'Cost of a new connection',
    verdict: {
      tone: partial === null ? 'neutral' : 'warn',
      title: 'Measured.',
      sentences: sentencesOf({ verdict, partial }),
    },
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
  const columns = paths.flatMap((path): readonly Field<PhaseRow>[] => [
    {
      key: `${path.name}_average_ms`,
      label: `${pathName(path.name)}`,
      unit: 'ms',
      of: (row) => row.of(path)?.averageMs ?? null,
    },
    {
      key: `${path.name}_p95_ms`,
      label: 'p95',
      unit: 'ms',
      of: (row) => row.of(path)?.p95Ms ?? null,
    },
  ]);
  return tableOf(
    'Time by phase, average and 95th percentile',
    [{ key: 'phase', label: 'phase', unit: 'text', of: ({ name }) => name }, ...columns],
    rows,
  );
}

function phasesOf(paths: readonly ConnectPath[]): readonly ConnectPhase[] {
  return connectPhases.filter((phase) =>
    paths.some(({ sequential }) => sequential.phases[phase] !== undefined),
  );
}

const concurrentFields: readonly Field<ConnectPath>[] = [
  { key: 'path', label: 'path', unit: 'text', of: ({ name }) => pathName(name) },
  { key: 'at_once', label: 'at once', unit: 'count', of: ({ concurrent }) => concurrent.at },
  {
    key: 'average_ms',
    label: 'average',
    unit: 'ms',
    of: ({ concurrent }) => concurrent.total?.averageMs ?? null,
  },
  {
    key: 'p95_ms',
    label: 'p95',
    unit: 'ms',
    of: ({ concurrent }) => concurrent.total?.p95Ms ?? null,
  },
  {
    key: 'connections_per_second',
    label: 'connections/s',
    unit: 'rate',
    of: ({ concurrent }) => concurrent.perSecond,
  },
  {
    key: 'errors',
    label: 'errors',
    unit: 'text',
    of: ({ concurrent }) => describeErrors(concurrent.errors),
  },
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
