import pc from 'picocolors';
import { describeAge } from '../activity/age.ts';
import { toPlainText, toShortText } from '../activity/plain-text.ts';
import { describeUse, isFull, type PoolerConcern } from '../pooler/pooler-concern.ts';
import { describePooler, describeStatsTime } from '../pooler/pooler-model.ts';
import type {
  PoolerPool,
  PoolerReport,
  PoolerSocket,
  PoolerStats,
} from '../pooler/pooler-report.ts';
import type { TextColumn } from '../text/terminal-table.ts';
import { wrapWords } from '../text/terminal-width.ts';
import { fittedTable } from './terminal-cells.ts';

type Colors = ReturnType<typeof pc.createColors>;

export interface PoolerView {
  readonly isColored: boolean;
  /** Width of the terminal; null when the output goes elsewhere. */
  readonly columns: number | null;
}

/** The console for people: who waits, what needs attention, pools, statistics, and the connections when they were read. Its texts are harmless to terminals. */
export function describePoolerReport(
  report: PoolerReport,
  concerns: readonly PoolerConcern[],
  { isColored, columns }: PoolerView,
): string {
  const colors = pc.createColors(isColored);
  const wrap = (text: string, hang = 0) => wrapWords(text, columns, hang);
  const print = (table: PoolerTable) => printTable(table, columns, colors);
  const sockets = (kind: string, list: readonly PoolerSocket[] | null) =>
    list === null ? '' : list.length === 0 ? `No ${kind}.` : print(socketsTable(kind, list));
  const parts = [
    `${wrap(toPlainText(describePooler(report)))}\n${wrap(describeLimits(report))}`,
    describeConcerns(concerns, report, wrap, colors),
    report.pools.length === 0
      ? wrap('No client has used a pool yet.')
      : print(poolsTable(report.pools, colors)),
    report.stats.length === 0
      ? ''
      : `${print(statsTable(report.stats))}\n${wrap(describeStatsTime(report.stats))}`,
    sockets('clients', report.clients),
    sockets('servers', report.servers),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

interface PoolerTable {
  readonly columns: readonly TextColumn[];
  /** Left out first where there is little room. */
  readonly dispensable: readonly string[];
}

function printTable(
  { columns, dispensable }: PoolerTable,
  room: number | null,
  colors: Colors,
): string {
  const { lines, leftOut } = fittedTable(columns, room, dispensable, colors.bold);
  return [
    ...lines,
    ...(leftOut.length === 0
      ? []
      : [wrapWords(`… a wider window shows: ${leftOut.join(', ')}.`, room)]),
  ].join('\n');
}

function describeLimits({ pooler: { limits, host, port, user }, totals }: PoolerReport): string {
  const facts = [
    totals.clientConnections === null
      ? ''
      : `${totals.clientConnections}${limits.maxClients === null ? '' : ` of ${limits.maxClients}`} client connections`,
    limits.mode === null ? '' : `${limits.mode} mode`,
    limits.defaultPoolSize ? `${limits.defaultPoolSize} servers a pool` : '',
    limits.reservePoolSize ? `${limits.reservePoolSize} in reserve` : '',
  ];
  return toPlainText(`${user}@${host}:${port}: ${facts.filter(Boolean).join(', ')}`);
}

function describeConcerns(
  concerns: readonly PoolerConcern[],
  { pools }: PoolerReport,
  wrap: (text: string, hang?: number) => string,
  colors: Colors,
): string {
  if (concerns.length === 0) return colors.green(wrap('Nothing needs attention.'));
  const of = ({ pool }: PoolerConcern) =>
    pool === null || pools.length < 2
      ? ''
      : `${(JSON.parse(pool) as string[]).map((name) => text(name, 30)).join('/')}: `;
  return concerns
    .map((concern) =>
      concern.severity === 'critical'
        ? colors.red(wrap(`!! ${of(concern)}${concern.sentence}`, 3))
        : colors.yellow(wrap(`! ${of(concern)}${concern.sentence}`, 2)),
    )
    .join('\n');
}

function columnsOf<Item>(items: readonly Item[]) {
  return (
    label: string,
    of: (item: Item) => string,
    more: Omit<TextColumn, 'label' | 'texts'> = {},
  ): TextColumn => ({ label, texts: items.map(of), ...more });
}

const name = { narrowest: 12 };

function poolsTable(pools: readonly PoolerPool[], colors: Colors): PoolerTable {
  const sorted = [...pools].sort(
    (a, b) => b.longestWaitMs - a.longestWaitMs || b.clientsWaiting - a.clientsWaiting,
  );
  const column = columnsOf(sorted);
  const markedIf = (isMarked: (pool: PoolerPool) => boolean) => ({
    paint: (cell: string, row: number) => {
      const pool = sorted[row];
      return pool !== undefined && isMarked(pool) ? colors.yellow(cell) : cell;
    },
  });
  const waits = ({ clientsWaiting }: PoolerPool) => clientsWaiting > 0;
  return {
    columns: [
      column('database', ({ database }) => text(database, 30), name),
      column('user', ({ user }) => text(user, 30), name),
      column('waiting', ({ clientsWaiting }) => String(clientsWaiting), markedIf(waits)),
      column(
        'longest wait',
        (pool) => (waits(pool) ? describeAge(pool.longestWaitMs) : ''),
        markedIf(waits),
      ),
      column('clients', ({ clientsActive }) => String(clientsActive)),
      column('servers in use', describeUse, markedIf(isFull)),
      column('idle', (pool) => String(pool.serversIdle + pool.serversUsed + pool.serversTested)),
      column('mode', ({ mode }) => text(mode, 20)),
    ],
    dispensable: ['mode', 'idle', 'clients', 'user', 'servers in use', 'longest wait'],
  };
}

function statsTable(stats: readonly PoolerStats[]): PoolerTable {
  const column = columnsOf(stats);
  return {
    columns: [
      column('database', ({ database }) => text(database, 30), name),
      column('queries/s', (each) => number(each.queriesPerSecond)),
      column('transactions/s', (each) => number(each.transactionsPerSecond)),
      column('avg query', (each) => milliseconds(each.averageQueryMs)),
      column('avg transaction', (each) => milliseconds(each.averageTransactionMs)),
      column('avg wait', (each) => milliseconds(each.averageWaitMs)),
    ],
    dispensable: ['transactions/s', 'avg transaction', 'queries/s', 'avg query'],
  };
}

function socketsTable(kind: string, sockets: readonly PoolerSocket[]): PoolerTable {
  const column = columnsOf([...sockets].sort((a, b) => (b.waitMs ?? 0) - (a.waitMs ?? 0)));
  return {
    columns: [
      column(kind, ({ state }) => text(state, 20)),
      column('database', ({ database }) => text(database, 30), name),
      column('user', ({ user }) => text(user, 30), name),
      column('application', ({ application }) => text(application, 30), name),
      column('address', addressOf),
      column('waits', ({ waitMs }) => (waitMs === null ? '' : describeAge(waitMs))),
      column('pid', ({ pid }) => (pid === null ? '' : String(pid))),
    ],
    dispensable: ['pid', 'address', 'user', 'database', 'application'],
  };
}

function addressOf({ address, port }: PoolerSocket): string {
  return `${text(address ?? 'local socket', 39)}${port === null ? '' : `:${port}`}`;
}

function number(value: number | null): string {
  return value === null ? '–' : value < 10 ? value.toFixed(1) : value.toFixed(0);
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : value < 10 ? `${value.toFixed(1)} ms` : describeAge(value);
}

function text(value: string | null, length: number): string {
  return toShortText(value ?? '', length).trim();
}
