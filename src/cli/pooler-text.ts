import pc from 'picocolors';
import { describeAge } from '../activity/age.ts';
import { toPlainText, toShortText } from '../activity/plain-text.ts';
import { isFull, type PoolerConcern } from '../pooler/pooler-concern.ts';
import { describePooler } from '../pooler/pooler-model.ts';
import type {
  PoolerPool,
  PoolerReport,
  PoolerSocket,
  PoolerStats,
} from '../pooler/pooler-report.ts';
import { toTable, type Colors } from './text-table.ts';

/** The console for people: who waits, what needs attention, pools, statistics, and the connections when they were read. Its texts are harmless to terminals. */
export function describePoolerReport(
  report: PoolerReport,
  concerns: readonly PoolerConcern[],
  isColored: boolean,
): string {
  const colors = pc.createColors(isColored);
  const parts = [
    `${toPlainText(describePooler(report))}\n${describeLimits(report)}`,
    describeConcerns(concerns, report, colors),
    report.pools.length === 0 ? 'No client has used a pool yet.' : poolsTable(report.pools, colors),
    report.stats.length === 0 ? '' : statsTable(report.stats, colors),
    report.clients === null ? '' : socketsTable('clients', report.clients, colors),
    report.servers === null ? '' : socketsTable('backends', report.servers, colors),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeLimits({ pooler: { limits, host, port, user }, totals }: PoolerReport): string {
  const clients = totals.clientsActive + totals.clientsWaiting;
  const facts = [
    `${clients}${limits.maxClients === null ? '' : ` of ${limits.maxClients}`} clients`,
    limits.mode === null ? '' : `${limits.mode} mode`,
    limits.defaultPoolSize === null ? '' : `${limits.defaultPoolSize} backends a pool`,
    limits.reservePoolSize ? `${limits.reservePoolSize} in reserve` : '',
  ];
  return toPlainText(`${user}@${host}:${port}: ${facts.filter(Boolean).join(', ')}`);
}

function describeConcerns(
  concerns: readonly PoolerConcern[],
  { pools }: PoolerReport,
  colors: Colors,
): string {
  if (concerns.length === 0) return colors.green('Nothing needs attention.');
  const of = ({ pool }: PoolerConcern) =>
    pool === null || pools.length < 2
      ? ''
      : `${(JSON.parse(pool) as string[]).map((name) => text(name, 30)).join('/')}: `;
  return concerns
    .map((concern) =>
      concern.severity === 'critical'
        ? colors.red(`!! ${of(concern)}${concern.sentence}`)
        : colors.yellow(`! ${of(concern)}${concern.sentence}`),
    )
    .join('\n');
}

function poolsTable(pools: readonly PoolerPool[], colors: Colors): string {
  const rows = [...pools]
    .sort((a, b) => b.longestWaitMs - a.longestWaitMs || b.clientsWaiting - a.clientsWaiting)
    .map((pool) => {
      const mark = pool.clientsWaiting > 0 ? colors.yellow : String;
      return [
        text(pool.database, 30),
        text(pool.user, 30),
        mark(String(pool.clientsWaiting)),
        mark(pool.clientsWaiting === 0 ? '' : describeAge(pool.longestWaitMs)),
        String(pool.clientsActive),
        isFull(pool) ? colors.yellow(lent(pool)) : lent(pool),
        String(pool.serversIdle + pool.serversUsed + pool.serversTested),
        text(pool.mode, 20),
      ];
    });
  return toTable(
    ['database', 'user', 'waiting', 'longest wait', 'clients', 'servers in use', 'idle', 'mode'],
    rows,
    colors,
  );
}

function lent({ serversActive, size }: PoolerPool): string {
  return size === null ? String(serversActive) : `${serversActive} of ${size}`;
}

function statsTable(stats: readonly PoolerStats[], colors: Colors): string {
  const rows = stats.map((each) => [
    text(each.database, 30),
    number(each.queriesPerSecond),
    number(each.transactionsPerSecond),
    milliseconds(each.averageQueryMs),
    milliseconds(each.averageTransactionMs),
    milliseconds(each.averageWaitMs),
  ]);
  return toTable(
    ['database', 'queries/s', 'transactions/s', 'a query', 'a transaction', 'a wait'],
    rows,
    colors,
  );
}

function socketsTable(kind: string, sockets: readonly PoolerSocket[], colors: Colors): string {
  if (sockets.length === 0) return `No ${kind}.`;
  const rows = [...sockets]
    .sort((a, b) => (b.waitMs ?? 0) - (a.waitMs ?? 0))
    .map((socket) => [
      text(socket.state, 20),
      text(socket.database, 30),
      text(socket.user, 30),
      text(socket.application, 30),
      `${text(socket.address ?? 'local socket', 39)}${socket.port === null ? '' : `:${socket.port}`}`,
      socket.waitMs === null ? '' : describeAge(socket.waitMs),
      socket.pid === null ? '' : String(socket.pid),
    ]);
  return toTable(
    [kind, 'database', 'user', 'application', 'address', 'waits', 'pid'],
    rows,
    colors,
  );
}

function number(value: number | null): string {
  return value === null ? '–' : String(value);
}

function milliseconds(value: number | null): string {
  return value === null ? '–' : value < 10 ? `${value.toFixed(1)} ms` : describeAge(value);
}

function text(value: string | null, length: number): string {
  return toShortText(value ?? '', length).trim();
}
