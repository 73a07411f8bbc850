import pc from 'picocolors';
import type { ActivityModel, PoolRow } from '../activity/activity-model.ts';
import { describeAge } from '../activity/age.ts';
import type { Concern } from '../activity/concern.ts';
import { isIdleInTransaction } from '../activity/group-by-pool.ts';
import { describeLimits, describeSplit } from '../activity/headroom.ts';
import { toPlainText } from '../activity/plain-text.ts';
import { adviseOnLooking } from '../activity/role-power.ts';
import {
  filterSessions,
  sortSessions,
  withoutIdle,
  type SessionOrder,
} from '../activity/session-list.ts';
import { blockersText, stateText, waitText } from '../activity/session-state.ts';
import type { ActivityReport, Headroom, Session } from '../activity/snapshot.ts';
import { describeBlocking } from './blocking-text.ts';
import { cellText, fitColumns, fitLastColumn, sparkline } from './terminal-cells.ts';
import { toTable, type Colors } from './text-table.ts';

export interface ActivityView {
  readonly isColored: boolean;
  /** Width of the terminal; null when the output goes elsewhere. */
  readonly columns: number | null;
  /** Height of a screen that cannot be scrolled: few pools are shown then, so that sessions have room. Null, or absent, where it can. */
  readonly rows?: number | null;
  /** Idle, hidden and own sessions are listed too. */
  readonly listsAll: boolean;
  /** Null for what is blocked or idle in a transaction first. */
  readonly order?: SessionOrder | null;
  /** Text that one of a session's fields contains; empty for all. */
  readonly filter?: string;
  readonly hidesIdle?: boolean;
}

/** A look for people: headroom, what needs attention, pools, the blocking tree, sessions. Database text in it is harmless to terminals. */
export function describeActivity(model: ActivityModel, view: ActivityView): string {
  const { report, concerns, pools } = model;
  if (report === null) return '';
  const colors = pc.createColors(view.isColored);
  const hasEarlierLooks = model.history.length > 1;
  const parts = [
    `${describeServer(report)}\n${describeRoom(report.headroom, colors)}${hasEarlierLooks ? `  ${sparkline(model.history, curveWidth)}` : ''}${limitLines(report.headroom)}`,
    hasEarlierLooks ? '' : describeRights(report),
    describeConcerns(concerns, report, colors),
    poolsTable(pools, hasEarlierLooks, view, colors),
    describeBlocking(model, view, colors),
    sessionsPart(model, view, colors),
    describeHidden(report),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeServer({ server }: ActivityReport): string {
  const place = `${server.user}@${server.host}:${server.port}/${server.database}`;
  const traits = [
    ...(server.isSuperuser ? ['as a superuser'] : []),
    ...(server.inRecovery ? ['a replica'] : []),
    ...(server.isPooled ? ['behind a pooler'] : []),
  ];
  return [`PostgreSQL ${toPlainText(server.version)}`, toPlainText(place), ...traits].join(', ');
}

/** Said with the first sample of a connection. */
function describeRights({ server: { user, isSuperuser } }: ActivityReport): string {
  return isSuperuser ? `Note: ${adviseOnLooking({ name: user, power: 'superuser' })}` : '';
}

function describeRoom(
  { used, usable, free, maxConnections, superuserReserved, reserved, split }: Headroom,
  colors: Colors,
): string {
  const kept = superuserReserved + reserved;
  const limits = `max_connections ${maxConnections}${kept === 0 ? '' : `, ${kept} of them reserved`}`;
  const taken =
    used > usable
      ? `${used} of ${maxConnections} connections used, ${used - usable} of the reserved ones among them, 0 free`
      : `${used} of ${usable} connections used, ${free} free`;
  return `${colors.bold(taken)} (${limits}): ${describeSplit(split)}`;
}

/** Only where there is a limit besides the server's. */
function limitLines(headroom: Headroom): string {
  return headroom.limits.some(({ limit }) => limit !== null)
    ? describeLimits(headroom)
        .map((line) => `\n${line}`)
        .join('')
    : '';
}

function describeConcerns(
  concerns: readonly Concern[],
  { headroom: { split } }: ActivityReport,
  colors: Colors,
): string {
  if (concerns.length === 0)
    return colors.green(
      `Nothing needs attention${split.hidden === 0 ? '' : ', as far as this role may see'}.`,
    );
  return concerns
    .map(({ severity, sentence }) =>
      severity === 'critical' ? colors.red(`!! ${sentence}`) : colors.yellow(`! ${sentence}`),
    )
    .join('\n');
}

const curveWidth = 20;
/** Of a screen that cannot be scrolled. */
const shareOfPools = 1 / 6;
const fewestPools = 3;

/** With their peak and curve when there was more than one look, and with the declared `max` when the code tells one. */
function poolsTable(
  pools: readonly PoolRow[],
  hasEarlierLooks: boolean,
  { rows: screenRows = null, columns }: ActivityView,
  colors: Colors,
): string {
  const isDeclared = pools.some(({ declared }) => declared !== null);
  const shown =
    screenRows === null
      ? pools
      : pools.slice(0, Math.max(fewestPools, Math.floor(screenRows * shareOfPools)));
  const rows = shown.map((pool) => [
    nameOf(pool),
    cellText(pool.user, 20),
    cellText(pool.database, 20),
    cellText(clientOf(pool), 39),
    String(pool.count),
    ...(hasEarlierLooks ? [String(pool.peak), sparkline(pool.history, curveWidth)] : []),
    ...(isDeclared ? [pool.declared === null ? '' : String(pool.declared.max)] : []),
    describeSplit(pool.split),
    pool.longestIdleInTransactionMs === null ? '' : describeAge(pool.longestIdleInTransactionMs),
  ]);
  const head = [
    'pool',
    'user',
    'database',
    'client',
    'sessions',
    ...(hasEarlierLooks ? ['peak', 'history'] : []),
    ...(isDeclared ? ['max'] : []),
    'of these',
    'idle in transaction for',
  ];
  const more = pools.length - shown.length;
  const fitted = fitColumns(head, rows, columns, ['history', 'client', 'database', 'user', 'peak']);
  return `${toTable(fitted.head, fitted.rows, colors)}${widerWindow(fitted.leftOut)}${more === 0 ? '' : `\n… and ${more} more ${more === 1 ? 'pool' : 'pools'}; a taller window shows them.`}`;
}

/** A role that may not see a session is told no address, which says nothing of where it comes from. */
function clientOf({ clientAddress, split, count }: PoolRow): string {
  return clientAddress ?? (split.hidden + split.own === count ? '' : 'local socket');
}

function sessionsPart(
  { report, concerns }: ActivityModel,
  { listsAll, filter = '', hidesIdle = false, order = null, columns }: ActivityView,
  colors: Colors,
): string {
  const all = report?.sessions ?? [];
  const wanted = listsAll
    ? all
    : withoutIdle(all).filter(({ state, isOwn }) => state !== 'hidden' && !isOwn);
  const listed = filterSessions(hidesIdle ? withoutIdle(wanted) : wanted, filter);
  if (listed.length === 0)
    return filter === ''
      ? nobody(report)
      : `No session at work or in a transaction contains "${cellText(filter, 40)}"${listsAll ? '' : '; --all searches the idle ones too'}.`;
  const notable = new Set(concerns.flatMap(({ pids }) => pids));
  const sorted = order === null ? [...listed].sort(byUrgency) : sortSessions(listed, order);
  const rows = sorted.map((session) => toRow(session, notable.has(session.pid), colors));
  const head = [
    'pid',
    'state',
    'application',
    'user',
    'wait',
    'transaction',
    'query',
    'blocked by',
    'statement',
  ];
  const fitted = fitColumns(head, rows, columns, ['user', 'query', 'wait', 'application']);
  return `${toTable(fitted.head, fitLastColumn(fitted.head, fitted.rows, columns), colors)}${widerWindow(fitted.leftOut)}`;
}

function widerWindow(leftOut: readonly string[]): string {
  return leftOut.length === 0 ? '' : `\n… a wider window shows: ${leftOut.join(', ')}.`;
}

function nobody(report: ActivityReport | null): string {
  return (report?.headroom.split.hidden ?? 0) > 0
    ? 'No session that this role may see is at work or in a transaction.'
    : 'No other session is at work or in a transaction.';
}

function toRow(session: Session, isNotable: boolean, colors: Colors): string[] {
  const state = `${stateText(session)}${session.stateAgeMs === null ? '' : ` ${describeAge(session.stateAgeMs)}`}`;
  return [
    String(session.pid),
    isNotable ? colors.yellow(state) : state,
    nameOf(session),
    cellText(session.user, 20),
    cellText(waitText(session), 30),
    session.transactionAgeMs === null ? '' : describeAge(session.transactionAgeMs),
    session.state === 'active' && session.queryAgeMs !== null
      ? describeAge(session.queryAgeMs)
      : '',
    blockersText(session),
    cellText(session.query, 200),
  ];
}

function nameOf({ application, isOwn }: Pick<Session, 'application' | 'isOwn'>): string {
  return `${cellText(application, 30) || '(no name)'}${isOwn ? ' (this tool)' : ''}`;
}

/** Blocked ones, then those idle in a transaction, then the rest; the longest in its state first. */
function byUrgency(a: Session, b: Session): number {
  return urgency(a) - urgency(b) || (b.stateAgeMs ?? 0) - (a.stateAgeMs ?? 0) || a.pid - b.pid;
}

function urgency(session: Session): number {
  if (session.blockedBy.length > 0) return 0;
  if (isIdleInTransaction(session)) return 1;
  return session.state === 'active' ? 2 : 3;
}

function describeHidden({ headroom: { split }, server }: ActivityReport): string {
  if (split.hidden === 0) return '';
  const many = split.hidden === 1 ? '1 session is' : `${split.hidden} sessions are`;
  return `${many} hidden from ${toPlainText(server.user)}: state, ages and statement are unknown. GRANT pg_monitor TO that role shows them.`;
}
