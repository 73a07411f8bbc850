import { ownName } from '../activity/headroom.ts';
import { describeUse, isFull } from '../pooler/pooler-concern.ts';
import type { PoolerPool, PoolerSocket, PoolerStats } from '../pooler/pooler-report.ts';
import { line } from './database-text.ts';
import { formatAge, formatNumber } from './format.ts';

/** A column of one of the pooler's tables. */
export interface PoolerColumn<Row> {
  readonly id: string;
  readonly title: string;
  /** What the title means, in a sentence. */
  readonly hint: string;
  /** Numbers stand at the right; null goes last whichever way. */
  value(row: Row): number | string | null;
  text(row: Row): string;
  /** Whether the cell deserves to be seen. */
  isNotable?(row: Row): boolean;
}

const textColumn = <Row>(
  id: string,
  title: string,
  hint: string,
  read: (row: Row) => string | null,
): PoolerColumn<Row> => ({
  id,
  title,
  hint,
  value: (row) => read(row) || null,
  text: (row) => line(read(row) ?? ''),
});
const numberColumn = <Row>(
  id: string,
  title: string,
  hint: string,
  value: (row: Row) => number | null,
  text: (value: number) => string = formatNumber,
): PoolerColumn<Row> => ({
  id,
  title,
  hint,
  value,
  text: (row) => {
    const read = value(row);
    return read === null ? '–' : text(read);
  },
});

export const poolColumns: readonly PoolerColumn<PoolerPool>[] = [
  textColumn('database', 'database', 'The database as clients name it.', (row) => row.database),
  textColumn('user', 'user', 'The role of the backends.', (row) => row.user),
  {
    ...numberColumn<PoolerPool>(
      'waiting',
      'waiting',
      'Clients that sent a statement and have no backend yet (cl_waiting).',
      ({ clientsWaiting }) => clientsWaiting,
    ),
    isNotable: ({ clientsWaiting }) => clientsWaiting > 0,
  },
  {
    ...numberColumn<PoolerPool>(
      'longest-wait',
      'longest wait',
      'How long the first client in the queue has waited (maxwait).',
      ({ longestWaitMs }) => longestWaitMs,
      formatWait,
    ),
    isNotable: ({ clientsWaiting }) => clientsWaiting > 0,
  },
  numberColumn(
    'clients',
    'clients',
    'Clients that hold a backend or are idle (cl_active); those that wait are not among them.',
    ({ clientsActive }) => clientsActive,
  ),
  {
    ...numberColumn<PoolerPool>(
      'lent',
      'servers in use',
      'Backends that a client holds (sv_active), and how many the pool may have.',
      ({ serversActive }) => serversActive,
    ),
    text: describeUse,
    isNotable: isFull,
  },
  numberColumn(
    'idle',
    'idle',
    'Idle backends (sv_idle, sv_used, sv_tested).',
    ({ serversIdle, serversUsed, serversTested }) => serversIdle + serversUsed + serversTested,
  ),
  numberColumn(
    'login',
    'connecting',
    'Backends that are being connected (sv_login).',
    ({ serversLogin }) => serversLogin,
  ),
  textColumn(
    'mode',
    'mode',
    'When a backend is released: after the statement, the transaction or the session (pool_mode).',
    ({ mode }) => mode,
  ),
];

export const statsColumns: readonly PoolerColumn<PoolerStats>[] = [
  textColumn('database', 'database', 'The database as clients name it.', (row) => row.database),
  numberColumn('queries', 'queries/s', 'Statements in a second.', (row) => row.queriesPerSecond),
  numberColumn(
    'transactions',
    'transactions/s',
    'Transactions in a second.',
    (row) => row.transactionsPerSecond,
  ),
  numberColumn(
    'query-time',
    'average query time',
    'From the statement to the end of its answer; what it waits for a backend is a part of it.',
    (row) => row.averageQueryMs,
    formatTime,
  ),
  numberColumn(
    'transaction-time',
    'average transaction time',
    'From its first statement to its end; what it waits for a backend is a part of it.',
    (row) => row.averageTransactionMs,
    formatTime,
  ),
  numberColumn(
    'wait-time',
    'average wait',
    'What a transaction waits for a backend, on average over all of them.',
    (row) => row.averageWaitMs,
    formatTime,
  ),
  numberColumn(
    'total-queries',
    'queries in total',
    'Statements since the pooler started.',
    (row) => row.totalQueries,
  ),
];

const state = textColumn<PoolerSocket>(
  'state',
  'state',
  'What the pooler says of it.',
  (socket) => socket.state,
);
const waits: PoolerColumn<PoolerSocket> = {
  ...numberColumn<PoolerSocket>(
    'wait',
    'waits',
    'How long the client has waited for a backend.',
    (row) => row.waitMs,
    formatWait,
  ),
  isNotable: ({ waitMs }) => waitMs !== null,
};
const pid = numberColumn<PoolerSocket>(
  'pid',
  'pid',
  'Process id of the backend on the server.',
  (socket) => socket.pid,
  String,
);
const whose: readonly PoolerColumn<PoolerSocket>[] = [
  textColumn('database', 'database', 'The database as clients name it.', (row) => row.database),
  textColumn('user', 'user', 'The role.', (row) => row.user),
  textColumn(
    'application',
    'application',
    'application_name of the client, known since PgBouncer 1.18.',
    ({ application }) => (application === 'poolguard' ? `poolguard (${ownName})` : application),
  ),
  textColumn('address', 'address', 'Where it comes from, or leads to.', ({ address, port }) =>
    address === null ? 'local socket' : `${address}${port === null ? '' : `:${port}`}`,
  ),
  textColumn(
    'since',
    'connected',
    'When it was connected, as the pooler writes it.',
    (row) => row.connectedAt,
  ),
];

export const clientColumns: readonly PoolerColumn<PoolerSocket>[] = [state, waits, ...whose];
export const serverColumns: readonly PoolerColumn<PoolerSocket>[] = [state, pid, ...whose];

export interface PoolerSorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A new array; rows without a value come last in both directions, ties keep their order. */
export function sortPoolerRows<Row>(
  rows: readonly Row[],
  columns: readonly PoolerColumn<Row>[],
  { column: id, isDescending }: PoolerSorting,
): readonly Row[] {
  const column = columns.find((each) => each.id === id);
  if (column === undefined) return rows;
  const direction = isDescending ? -1 : 1;
  return [...rows].sort((one, other) => compare(column.value(one), column.value(other), direction));
}

function compare(a: number | string | null, b: number | string | null, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
  return String(a).localeCompare(String(b)) * direction;
}

/** Tenths of a second below ten: a wait grows while one samples. */
export function formatWait(ms: number): string {
  return ms >= 1_000 && ms < 10_000 ? `${(Math.floor(ms / 100) / 10).toFixed(1)} s` : formatAge(ms);
}

function formatTime(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : formatAge(ms);
}
