import type pc from 'picocolors';
import type { ActivityModel } from '../activity/activity-model.ts';
import { describeAge } from '../activity/age.ts';
import { isIdleInTransaction } from '../activity/group-by-pool.ts';
import {
  filterSessions,
  sortSessions,
  withoutIdle,
  type SessionColumn,
  type SessionOrder,
} from '../activity/session-list.ts';
import { blockersText, runningMs, stateText, waitText } from '../activity/session-state.ts';
import type { Session } from '../activity/snapshot.ts';
import type { TextColumn } from '../text/terminal-table.ts';
import { cutToWidth } from '../text/terminal-width.ts';
import { cellText, fittedTable, type FittedTable } from './terminal-cells.ts';

/** Which sessions are listed, and how. */
export interface SessionView {
  /** Width of the terminal; null when the output goes elsewhere. */
  readonly columns: number | null;
  /** Idle, hidden and own sessions are listed too. */
  readonly listsAll: boolean;
  /** Null for what is blocked or idle in a transaction first. */
  readonly order?: SessionOrder | null;
  /** Text that one of a session's fields contains; empty for all. */
  readonly filter?: string;
  readonly hidesIdle?: boolean;
}

interface SessionField {
  readonly label: string;
  /** What it is sorted by. */
  readonly sort: SessionColumn;
  readonly of: (session: Session) => string;
  readonly narrowest?: number;
}

const longestStatement = 200;
const statementOffTerminal = 80;

/** As they stand in the table; a number key sorts by the one that it counts. */
export const sessionFields: readonly SessionField[] = [
  { label: 'pid', sort: 'pid', of: ({ pid }) => String(pid) },
  { label: 'state', sort: 'state-age', of: stateOf },
  { label: 'application', sort: 'application', of: nameOf },
  { label: 'user', sort: 'user', of: ({ user }) => cellText(user, 20) },
  { label: 'wait', sort: 'wait', of: (session) => cellText(waitText(session), 30) },
  {
    label: 'transaction',
    sort: 'transaction-age',
    of: ({ transactionAgeMs }) => ageOf(transactionAgeMs),
  },
  {
    label: 'query',
    sort: 'query-age',
    of: (session) => ageOf(runningMs(session)),
  },
  { label: 'blocked by', sort: 'blocked-by', of: blockersText },
  {
    label: 'statement',
    sort: 'query',
    of: ({ query }) => cellText(query, longestStatement),
    narrowest: 20,
  },
];

const dispensable = [
  'user',
  'query',
  'wait',
  'application',
  'transaction',
  'blocked by',
  'statement',
];

/** Those that the view asks for, in its order. */
export function listedSessions(
  { report }: Pick<ActivityModel, 'report'>,
  { listsAll, filter = '', hidesIdle = false, order = null }: SessionView,
): readonly Session[] {
  const all = report?.sessions ?? [];
  const wanted = listsAll
    ? all
    : withoutIdle(all).filter(({ state, isOwn }) => state !== 'hidden' && !isOwn);
  const listed = filterSessions(hidesIdle ? withoutIdle(wanted) : wanted, filter);
  return order === null ? [...listed].sort(byUrgency) : sortSessions(listed, order);
}

/** A line each. Database text in it is harmless to terminals. */
export function sessionTable(
  sessions: readonly Session[],
  { concerns }: Pick<ActivityModel, 'concerns'>,
  { columns, order = null }: SessionView,
  colors: ReturnType<typeof pc.createColors>,
): FittedTable {
  const notable = new Set(concerns.flatMap(({ pids }) => pids));
  const shown = ({ label, sort }: SessionField) =>
    order !== null && sortsBy(sort, order.column)
      ? `${label} ${order.isDescending ? '▼' : '▲'}`
      : label;
  const labels = new Map(sessionFields.map((each) => [each.label, shown(each)]));
  const fitted = sessionFields.map((each): TextColumn => ({
    label: shown(each),
    texts: sessions.map((session) =>
      columns === null ? cutToWidth(each.of(session), statementOffTerminal) : each.of(session),
    ),
    ...(each.narrowest !== undefined && { narrowest: each.narrowest }),
    ...(each.label === 'state' && {
      paint: (text: string, row: number) =>
        notable.has(sessions[row]?.pid ?? -1) ? colors.yellow(text) : text,
    }),
  }));
  return fittedTable(
    fitted,
    columns,
    dispensable.map((label) => labels.get(label) ?? label),
    colors.bold,
  );
}

/** The state's column shows its age too. */
function sortsBy(sort: SessionColumn, column: SessionColumn): boolean {
  return sort === column || (sort === 'state-age' && column === 'state');
}

/** Of an application, with the sign of our own. */
export function nameOf({ application, isOwn }: Pick<Session, 'application' | 'isOwn'>): string {
  return `${cellText(application, 30) || '(no name)'}${isOwn ? ' (this tool)' : ''}`;
}

function stateOf(session: Session): string {
  return `${stateText(session)}${session.stateAgeMs === null ? '' : ` ${describeAge(session.stateAgeMs)}`}`;
}

function ageOf(milliseconds: number | null): string {
  return milliseconds === null ? '' : describeAge(milliseconds);
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
