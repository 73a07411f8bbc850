import pc from 'picocolors';
import type { ActivityModel, PoolRow } from '../activity/activity-model.ts';
import { describeAge } from '../activity/age.ts';
import type { Concern } from '../activity/concern.ts';
import { describeLimits, describeSplit } from '../activity/headroom.ts';
import { toPlainText } from '../activity/plain-text.ts';
import { describeBursts } from '../activity/pool-words.ts';
import { describeQuietPools } from '../activity/quiet-pools.ts';
import { adviseOnLooking } from '../activity/role-power.ts';
import type { ActivityReport, Headroom } from '../activity/snapshot.ts';
import type { TextColumn } from '../text/terminal-table.ts';
import { wrapWords } from '../text/terminal-width.ts';
import { describeBlocking } from './blocking-text.ts';
import { listedSessions, nameOf, sessionTable, type SessionView } from './session-table.ts';
import { cellText, fittedTable, sparkline } from './terminal-cells.ts';

type Colors = ReturnType<typeof pc.createColors>;

export interface ActivityView extends SessionView {
  readonly isColored: boolean;
  /** Height of a screen that cannot be scrolled: few pools are shown then, so that sessions have room. Null, or absent, where it can. */
  readonly rows?: number | null;
}

/** A look for people: headroom, what needs attention, pools, the blocking tree, sessions. Database text in it is harmless to terminals. */
export function describeActivity(model: ActivityModel, view: ActivityView): string {
  const { report } = model;
  if (report === null) return '';
  return joinParts([
    describeSummary(model, view),
    sessionsPart(model, view),
    describeHidden(report, view),
  ]);
}

/** All but the sessions. */
export function describeSummary(model: ActivityModel, view: ActivityView): string {
  const { report, concerns, pools } = model;
  if (report === null) return '';
  const colors = pc.createColors(view.isColored);
  const wrap = (text: string, hang = 0) => wrapWords(text, view.columns, hang);
  const hasHistory = model.history.counts.length > 1;
  const curve = hasHistory ? `  ${sparkline(model.history.counts, curveWidth)}` : '';
  return joinParts([
    [
      wrap(describeServer(report)),
      wrap(`${describeRoom(report.headroom, colors)}${curve}`),
      ...limitLines(report.headroom).map((line) => wrap(line)),
    ].join('\n'),
    hasHistory ? '' : wrap(describeRights(report)),
    describeConcerns(concerns, report, wrap, colors),
    poolsTable(pools, hasHistory, view, colors),
    describeBlocking(model, view, colors),
  ]);
}

function joinParts(parts: readonly string[]): string {
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
function limitLines(headroom: Headroom): readonly string[] {
  return headroom.limits.some(({ limit }) => limit !== null) ? describeLimits(headroom) : [];
}

function describeConcerns(
  concerns: readonly Concern[],
  report: ActivityReport,
  wrap: (text: string, hang?: number) => string,
  colors: Colors,
): string {
  const hint = describeQuietPools(report);
  const { split } = report.headroom;
  if (concerns.length === 0) {
    const calm = wrap(
      `PostgreSQL reports nothing that needs attention${split.hidden === 0 ? '' : ', as far as this role may see'}.`,
    );
    return hint === null ? colors.green(calm) : `${calm}\n${wrap(hint)}`;
  }
  const lines = concerns.map(({ severity, sentence }) =>
    severity === 'critical'
      ? colors.red(wrap(`!! ${sentence}`, 3))
      : colors.yellow(wrap(`! ${sentence}`, 2)),
  );
  return [...lines, ...(hint === null ? [] : [wrap(hint)])].join('\n');
}

const curveWidth = 20;
/** Of a screen that cannot be scrolled. */
const shareOfPools = 1 / 6;
const fewestPools = 3;

/** In this order a table too wide loses its columns. */
const dispensable = [
  'history',
  'opened together',
  'client',
  'database',
  'user',
  'peak',
  'max',
  'of these',
  'idle in transaction for',
];

/** With their peak and curve when there was more than one look, and with the declared `max` when the code tells one. */
function poolsTable(
  pools: readonly PoolRow[],
  hasHistory: boolean,
  { rows: screenRows = null, columns }: ActivityView,
  colors: Colors,
): string {
  const shown =
    screenRows === null
      ? pools
      : pools.slice(0, Math.max(fewestPools, Math.floor(screenRows * shareOfPools)));
  const more = pools.length - shown.length;
  const { lines, leftOut } = fittedTable(
    poolColumns(pools, hasHistory).map(({ of, ...column }) => ({
      ...column,
      texts: shown.map(of),
    })),
    columns,
    dispensable,
    colors.bold,
  );
  return [
    ...lines,
    ...widerWindow(leftOut, columns),
    ...(more === 0
      ? []
      : [
          wrapWords(
            `… and ${more} more ${more === 1 ? 'pool' : 'pools'}; a taller window shows them.`,
            columns,
          ),
        ]),
  ].join('\n');
}

interface PoolColumn extends Omit<TextColumn, 'texts'> {
  readonly of: (pool: PoolRow) => string;
}

function poolColumns(pools: readonly PoolRow[], hasHistory: boolean): readonly PoolColumn[] {
  const hasBursts = pools.some(({ bursts }) => bursts.length > 0);
  const isDeclared = pools.some(({ declared }) => declared !== null);
  return [
    { label: 'pool', of: nameOf, narrowest: 28 },
    { label: 'user', of: ({ user }) => cellText(user, 20) },
    { label: 'database', of: ({ database }) => cellText(database, 20) },
    { label: 'client', of: (pool) => cellText(clientOf(pool), 39) },
    { label: 'sessions', of: ({ count }) => String(count) },
    ...(hasBursts ? [{ label: 'opened together', of: describeBursts }] : []),
    ...(hasHistory
      ? [
          { label: 'peak', of: ({ peak }: PoolRow) => String(peak) },
          { label: 'history', of: ({ history }: PoolRow) => sparkline(history.counts, curveWidth) },
        ]
      : []),
    ...(isDeclared
      ? [
          {
            label: 'max',
            of: ({ declared }: PoolRow) => (declared === null ? '' : String(declared.max)),
          },
        ]
      : []),
    { label: 'of these', of: ({ split }) => describeSplit(split) },
    {
      label: 'idle in transaction for',
      of: ({ longestIdleInTransactionMs: longest }) =>
        longest === null ? '' : describeAge(longest),
    },
  ];
}

/** A role that may not see a session is told no address, which says nothing of where it comes from. */
function clientOf({ clientAddress, split, count }: PoolRow): string {
  return clientAddress ?? (split.hidden + split.own === count ? '' : 'local socket');
}

function sessionsPart(model: ActivityModel, view: ActivityView): string {
  const sessions = listedSessions(model, view);
  if (sessions.length === 0) return wrapWords(sayNoSession(model.report, view), view.columns);
  const { lines, leftOut } = sessionTable(sessions, model, view, pc.createColors(view.isColored));
  return [...lines, ...widerWindow(leftOut, view.columns)].join('\n');
}

/** What stands in place of a table without rows. */
export function sayNoSession(
  report: ActivityReport | null,
  { filter = '', listsAll }: Pick<SessionView, 'filter' | 'listsAll'>,
): string {
  if (filter !== '')
    return `No session at work or in a transaction contains "${cellText(filter, 40)}"${listsAll ? '' : '; --all searches the idle ones too'}.`;
  return (report?.headroom.split.hidden ?? 0) > 0
    ? 'No session that this role may see is at work or in a transaction.'
    : 'No other session is at work or in a transaction.';
}

function widerWindow(leftOut: readonly string[], columns: number | null): readonly string[] {
  return leftOut.length === 0
    ? []
    : [wrapWords(`… a wider window shows: ${leftOut.join(', ')}.`, columns)];
}

function describeHidden(
  { headroom: { split }, server }: ActivityReport,
  { columns }: Pick<SessionView, 'columns'>,
): string {
  if (split.hidden === 0) return '';
  const many = split.hidden === 1 ? '1 session is' : `${split.hidden} sessions are`;
  return wrapWords(
    `${many} hidden from ${toPlainText(server.user)}: state, ages and statement are unknown. GRANT pg_monitor TO that role shows them.`,
    columns,
  );
}
