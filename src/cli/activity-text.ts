import Table from 'cli-table3';
import pc from 'picocolors';
import { describeAge } from '../activity/age.ts';
import { findConcerns, type Concern } from '../activity/concern.ts';
import { groupByPool, isIdleInTransaction, type PoolGroup } from '../activity/group-by-pool.ts';
import { shorten, toPlainText } from '../activity/plain-text.ts';
import type { ActivityReport, Headroom, Session } from '../activity/snapshot.ts';
import type { Thresholds } from '../activity/thresholds.ts';

export interface ActivityView {
  readonly isColored: boolean;
  /** Width of the terminal; null when the output goes elsewhere. */
  readonly columns: number | null;
  /** Idle, hidden and own sessions are listed too. */
  readonly listsAll: boolean;
  /** What deserves attention; the defaults when absent. */
  readonly thresholds?: Thresholds;
}

type Colors = ReturnType<typeof pc.createColors>;

/** A snapshot for people: headroom, what needs attention, pools, sessions. Database text in it is harmless to terminals. */
export function describeActivity(report: ActivityReport, { isColored, columns, listsAll, thresholds }: ActivityView): string {
  const colors = pc.createColors(isColored);
  const concerns = findConcerns(report, thresholds);
  const parts = [
    `${describeServer(report)}\n${describeHeadroom(report.headroom, colors)}`,
    describeConcerns(concerns, report, colors),
    poolsTable(groupByPool(report), colors),
    sessionsPart(report, listsAll, new Set(concerns.flatMap(({ pids }) => pids)), colors, columns),
    describeHidden(report),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeServer({ server }: ActivityReport): string {
  const place = `${server.user}@${server.host}:${server.port}/${server.database}`;
  return `PostgreSQL ${toPlainText(server.version)}, ${toPlainText(place)}${server.inRecovery ? ', a replica' : ''}`;
}

function describeHeadroom({ used, usable, free, maxConnections, superuserReserved, reserved, split }: Headroom, colors: Colors): string {
  const kept = superuserReserved + reserved;
  const limits = `max_connections ${maxConnections}${kept === 0 ? '' : `, ${kept} of them reserved`}`;
  return `${colors.bold(`${used} of ${usable} connections used, ${free} free`)} (${limits}): ${describeSplit(split)}`;
}

const partNames: Readonly<Record<keyof Headroom['split'], string>> = {
  active: 'active',
  waiting: 'waiting',
  idle: 'idle',
  idleInTransaction: 'idle in transaction',
  aborted: 'aborted',
  hidden: 'hidden',
  other: 'other',
  own: "Poolguard's own",
};

function describeSplit(split: Headroom['split']): string {
  const names = Object.keys(partNames) as (keyof Headroom['split'])[];
  return names.filter((name) => split[name] > 0).map((name) => `${split[name]} ${partNames[name]}`).join(', ');
}

function describeConcerns(concerns: readonly Concern[], { headroom: { split } }: ActivityReport, colors: Colors): string {
  if (concerns.length === 0) return colors.green(`Nothing needs attention${split.hidden === 0 ? '' : ', as far as this role may see'}.`);
  return concerns.map(({ severity, sentence }) => (severity === 'critical' ? colors.red(`!! ${sentence}`) : colors.yellow(`! ${sentence}`))).join('\n');
}

function poolsTable(groups: readonly PoolGroup[], colors: Colors): string {
  const rows = groups.map((group) => [
    nameOf(group),
    text(group.user, 20),
    text(group.database, 20),
    text(group.clientAddress ?? 'local socket', 39),
    String(group.count),
    describeSplit(group.split),
    group.longestIdleInTransactionMs === null ? '' : describeAge(group.longestIdleInTransactionMs),
  ]);
  return toTable(['pool', 'user', 'database', 'client', 'sessions', 'of these', 'idle in transaction for'], rows, colors);
}

function sessionsPart(report: ActivityReport, listsAll: boolean, notable: ReadonlySet<number>, colors: Colors, columns: number | null): string {
  const listed = report.sessions.filter((session) => listsAll || (session.state !== 'idle' && session.state !== 'hidden' && !session.isOwn));
  if (listed.length === 0) return 'No other session is at work or in a transaction.';
  const rows = [...listed].sort(byUrgency).map((session) => toRow(session, notable.has(session.pid), colors));
  const head = ['pid', 'state', 'application', 'user', 'wait', 'transaction', 'query', 'blocked by', 'statement'];
  return toTable(head, fitLastColumn(head, rows, columns), colors);
}

function toRow(session: Session, isNotable: boolean, colors: Colors): string[] {
  const state = `${session.state}${session.stateAgeMs === null ? '' : ` ${describeAge(session.stateAgeMs)}`}`;
  return [
    String(session.pid),
    isNotable ? colors.yellow(state) : state,
    nameOf(session),
    text(session.user, 20),
    session.isWaiting ? text(`${session.waitEventType}: ${session.waitEvent}`, 30) : '',
    session.transactionAgeMs === null ? '' : describeAge(session.transactionAgeMs),
    session.state === 'active' && session.queryAgeMs !== null ? describeAge(session.queryAgeMs) : '',
    session.blockedBy.map((pid) => (pid === 0 ? 'prepared transaction' : pid)).join(' '),
    text(session.query, 200),
  ];
}

function nameOf({ application, isOwn }: Pick<Session, 'application' | 'isOwn'>): string {
  return `${text(application, 30) || '(no name)'}${isOwn ? ' (this tool)' : ''}`;
}

function text(value: string | null, length: number): string {
  return shorten(toPlainText(value ?? '').trim(), length);
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

const gap = 2;
/** Below this width a statement says too little. */
const narrowestStatement = 20;
const statementOffTerminal = 80;

function fitLastColumn(head: readonly string[], rows: readonly string[][], columns: number | null): readonly string[][] {
  const others = head.slice(0, -1).map((title, column) => Math.max(title.length, ...rows.map((row) => stripColors(row[column] ?? '').length)) + gap);
  const width = columns === null ? statementOffTerminal : Math.max(narrowestStatement, columns - others.reduce((sum, each) => sum + each, 0));
  return rows.map((row) => [...row.slice(0, -1), shorten(row.at(-1) ?? '', width)]);
}

function stripColors(cell: string): string {
  return cell.replace(/\u001B\[\d+m/g, '');
}

const noBorders = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'].map((edge) => [edge, '']),
);

function toTable(head: readonly string[], rows: readonly (readonly string[])[], colors: Colors): string {
  const table = new Table({
    head: head.map((title) => colors.bold(title)),
    chars: { ...noBorders, middle: ' '.repeat(gap) },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/ +$/gm, '');
}

function describeHidden({ headroom: { split }, server }: ActivityReport): string {
  if (split.hidden === 0) return '';
  const many = split.hidden === 1 ? '1 session is' : `${split.hidden} sessions are`;
  return `${many} hidden from ${toPlainText(server.user)}: state, ages and statement are unknown. GRANT pg_monitor TO that role shows them.`;
}
