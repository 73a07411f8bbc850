import type { CompareResult, CompareRow, Strategy } from '../../probe/compare/compare-result.ts';
import { type BarChart, field, type Field, minor, type Report, tableOf } from '../report.ts';
import { headOf, measured } from './head.ts';
import { failedShare, fieldsOfLoad } from './load-fields.ts';

const strategyNames: Readonly<Record<Strategy, string>> = {
  'new-connection': 'new connection each',
  'shared-client': 'one shared client',
  pool: 'pool',
  'pipelined-client': 'one pipelined client',
};

const fields: readonly Field<CompareRow>[] = [
  field('callers', 'callers', 'count', ({ callers }) => callers),
  field('strategy', 'strategy', 'text', nameOf),
  minor('connections', 'connections', 'count', ({ connections }) => connections),
  ...fieldsOfLoad(
    ({ load }: CompareRow) => load,
    [
      'throughput_per_second',
      'average_ms',
      'wait_ms',
      'database_ms',
      'p95_ms',
      'p99_ms',
      'peak_waiting',
      'errors',
    ],
  ),
  minor('event_loop', 'event loop', 'share', ({ eventLoop }) => eventLoop),
];

/** The same load by four ways to reach the server. */
export function compareReport(result: CompareResult): Report {
  const { rows } = result;
  const isBest = (row: CompareRow) => bestOf(rows, row.callers) === row;
  return {
    ...headOf(result),
    title: 'Ways to reach the server',
    verdict: measured(result),
    facts: [],
    snippets: [],
    sections: [
      {
        title: 'Strategies, side by side',
        charts: [throughputChart(rows)],
        tables: [
          tableOf('Load by callers and strategy', fields, rows, (row) =>
            isBest(row) ? { mark: 'most', tone: 'good' } : {},
          ),
        ],
        sentences: ['Times of a new connection include making it.'],
      },
    ],
  };
}

function bestOf(rows: readonly CompareRow[], callers: number): CompareRow | undefined {
  return rows
    .filter((row) => row.callers === callers)
    .reduce<CompareRow | undefined>(
      (best, row) =>
        best === undefined || row.load.throughput > best.load.throughput ? row : best,
      undefined,
    );
}

/** Two pools of a comparison are told apart by their size. */
function nameOf({ strategy, connections }: CompareRow): string {
  return strategy === 'pool' ? `pool of ${connections}` : strategyNames[strategy];
}

function throughputChart(rows: readonly CompareRow[]): BarChart {
  const callers = [...new Set(rows.map((row) => row.callers))];
  return {
    kind: 'bars',
    title: 'Answers per second, and the share of requests that failed',
    unit: 'rate',
    groups: callers.map((count) => ({
      label: `${count} callers`,
      bars: rows
        .filter((row) => row.callers === count)
        .map((row) => ({
          label: nameOf(row),
          value: row.load.throughput,
          failed: failedShare(row.load),
          isChosen: row === bestOf(rows, count),
        })),
    })),
  };
}
