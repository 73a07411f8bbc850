import { runningMs, stateText, waitText } from './session-state.ts';
import type { Session } from './snapshot.ts';

/** What a list of sessions can be sorted by. */
export const sessionColumns = [
  'pid',
  'state',
  'state-age',
  'application',
  'user',
  'database',
  'wait',
  'transaction-age',
  'query-age',
  'blocked-by',
  'query',
] as const;
export type SessionColumn = (typeof sessionColumns)[number];

export interface SessionOrder {
  readonly column: SessionColumn;
  readonly isDescending: boolean;
}

/** Which sessions a list shows, and in which order. Plain data. */
export interface SessionListChoice {
  readonly order: SessionOrder;
  /** Plain text that one of the fields contains, in whatever case; empty for all. */
  readonly filter: string;
  readonly hidesIdle: boolean;
}

/** The transaction that is open for longest comes first. */
export const defaultListChoice: SessionListChoice = {
  order: { column: 'transaction-age', isDescending: true },
  filter: '',
  hidesIdle: false,
};

/** By which value each column sorts; null, for nothing there, comes last in both directions. */
const sortValues: Readonly<Record<SessionColumn, (session: Session) => number | string | null>> = {
  pid: ({ pid }) => pid,
  state: stateText,
  'state-age': ({ stateAgeMs }) => stateAgeMs,
  application: ({ application }) => application || null,
  user: ({ user }) => user,
  database: ({ database }) => database,
  wait: (session) => waitText(session) || null,
  'transaction-age': ({ transactionAgeMs }) => transactionAgeMs,
  'query-age': runningMs,
  'blocked-by': ({ blockedBy }) => (blockedBy.length === 0 ? null : Math.min(...blockedBy)),
  query: ({ query }) => query || null,
};

/** Those that the choice leaves, in its order. */
export function listSessions(
  sessions: readonly Session[],
  { order, filter, hidesIdle }: SessionListChoice,
): readonly Session[] {
  return sortSessions(filterSessions(hidesIdle ? withoutIdle(sessions) : sessions, filter), order);
}

/** A new array. Ties stand by process id, so that a row keeps its place from one sample to the next. */
export function sortSessions(
  sessions: readonly Session[],
  { column, isDescending }: SessionOrder,
): readonly Session[] {
  const valueOf = sortValues[column];
  const direction = isDescending ? -1 : 1;
  const rows = sessions.map((session) => ({ session, value: valueOf(session) }));
  rows.sort((a, b) => compare(a.value, b.value, direction) || a.session.pid - b.session.pid);
  return rows.map(({ session }) => session);
}

/** Sessions of which application, user, database, state, process id or statement contains the text, in whatever case. */
export function filterSessions(sessions: readonly Session[], filter: string): readonly Session[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return sessions;
  return sessions.filter((session) =>
    fieldsOf(session).some((field) => field.toLowerCase().includes(wanted)),
  );
}

/** Sessions that do something or keep a transaction open; what is hidden from this role may, and stays. */
export function withoutIdle(sessions: readonly Session[]): readonly Session[] {
  return sessions.filter(({ state }) => state !== 'idle');
}

/** The direction that a first click on a column takes: ages show the oldest first. */
export function nextOrder(
  { column, isDescending }: SessionOrder,
  chosen: SessionColumn,
): SessionOrder {
  return {
    column: chosen,
    isDescending: column === chosen ? !isDescending : chosen.endsWith('age'),
  };
}

function fieldsOf(session: Session): readonly string[] {
  const { application, user, database, state, pid, query } = session;
  return [String(pid), application, user ?? '', database ?? '', state, stateText(session), query];
}

/** Texts by their code units: the order is the same in a browser, a terminal and on every machine. */
function compare(a: number | string | null, b: number | string | null, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a === b) return 0;
  return (a < b ? -1 : 1) * direction;
}
