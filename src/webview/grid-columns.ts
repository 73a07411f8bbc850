import type { Session } from '../activity/snapshot.ts';
import { formatAge } from './format.ts';
import { stateText, waitText } from '../activity/session-state.ts';

export interface Column {
  readonly id: string;
  readonly title: string;
  /** Right-aligned and sorted by number. */
  readonly isNumeric: boolean;
  /** Sorts by this; null goes last whichever way. */
  value(session: Session): number | string | null;
  text(session: Session): string;
}

const textColumn = (id: string, title: string, text: (session: Session) => string): Column => ({ id, title, isNumeric: false, value: (session) => text(session) || null, text });
const ageColumn = (id: string, title: string, value: (session: Session) => number | null): Column => ({ id, title, isNumeric: true, value, text: (session) => formatAge(value(session)) });

export const columns: readonly Column[] = [
  { id: 'pid', title: 'pid', isNumeric: true, value: ({ pid }) => pid, text: ({ pid }) => String(pid) },
  textColumn('state', 'state', stateText),
  ageColumn('state-age', 'in state', ({ stateAgeMs }) => stateAgeMs),
  textColumn('application', 'application', ({ application, isOwn }) => (isOwn ? `${application} (Poolguard)` : application)),
  textColumn('user', 'user', ({ user }) => user ?? ''),
  textColumn('wait', 'wait', waitText),
  ageColumn('transaction-age', 'txn age', ({ transactionAgeMs }) => transactionAgeMs),
  ageColumn('query-age', 'query age', ({ queryAgeMs }) => queryAgeMs),
  textColumn('blocked-by', 'blocked by', ({ blockedBy }) => blockedBy.join(', ')),
  textColumn('query', 'query', ({ query }) => query),
];

export interface Sorting {
  readonly column: string;
  readonly isDescending: boolean;
}

/** A new array; sessions without a value come last in both directions, ties keep their order. */
export function sortSessions(sessions: readonly Session[], { column: id, isDescending }: Sorting): readonly Session[] {
  const column = columns.find((each) => each.id === id);
  if (column === undefined) return sessions;
  const direction = isDescending ? -1 : 1;
  return [...sessions].sort((a, b) => compare(column.value(a), column.value(b), direction));
}

function compare(a: number | string | null, b: number | string | null, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
  return String(a).localeCompare(String(b)) * direction;
}
