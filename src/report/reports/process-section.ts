import type { ProcessRow, ProcessTable } from '../../probe/limits/process-table.ts';
import { field, type Field, minor, type Row, type Section, tableOf } from '../report.ts';

const fields: readonly Field<ProcessRow>[] = [
  field('processes', 'processes', 'count', ({ processes }) => processes),
  field('max', 'max each', 'count', ({ direct }) => direct.max),
  field('connections', 'connections', 'count', ({ direct }) => direct.connections),
  field('left', 'left', 'count', ({ direct }) => direct.left),
  minor('pooled_max', 'max, pooler', 'count', ({ pooled }) => pooled.max),
  minor('pooled_clients', 'clients', 'count', ({ pooled }) => pooled.clients),
  field('pooled_backends', 'connections, pooler', 'count', ({ pooled }) => pooled.backends),
  field('pooled_left', 'left, pooler', 'count', ({ pooled }) => pooled.left),
];

/** processes × max against the server's room; nothing in results that were saved without it. */
export function processSection(table: ProcessTable | null | undefined): readonly Section[] {
  if (table === null || table === undefined) return [];
  const { whole, free, rows } = table;
  return [
    {
      title: 'Several processes',
      tables: [
        tableOf(
          'Connections by number of processes, directly and through a pooler in transaction mode',
          fields,
          rows,
          markOf,
        ),
      ],
      sentences: [
        whole === null
          ? 'The limit is one process, not the database: each process has the measured size for itself.'
          : `${whole} connections are worth having for all processes together: each gets its share, rounded up.`,
        `The server has ${free} connections for them, by its tightest limit: without those that are reserved, kept for administration, or in use by others.`,
      ],
    },
  ];
}

function markOf({ isAsked, direct }: ProcessRow): Omit<Row, 'cells'> {
  const marks = [
    ...(isAsked ? ['this run'] : []),
    ...(direct.left < 0 ? ['does not fit'] : direct.isBounded ? ['less than measured'] : []),
  ];
  return {
    ...(marks.length > 0 && { mark: marks.join(', ') }),
    ...(direct.left < 0
      ? { tone: 'bad' as const }
      : direct.isBounded
        ? { tone: 'warn' as const }
        : {}),
  };
}
