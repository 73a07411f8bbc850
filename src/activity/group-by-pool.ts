import { toSplit } from './headroom.ts';
import type { ActivityReport, Headroom, Session } from './snapshot.ts';

/** Sessions that most likely belong to one pool: same application name, role, database and client address. */
export interface PoolGroup {
  /** Stable between snapshots. */
  readonly key: string;
  readonly application: string;
  readonly user: string | null;
  readonly database: string | null;
  readonly clientAddress: string | null;
  readonly count: number;
  readonly split: Headroom['split'];
  /** The longest time that one of them is idle in a transaction, aborted ones included. Null when none is. */
  readonly longestIdleInTransactionMs: number | null;
  readonly longestTransactionMs: number | null;
  /** True when all of them are Poolguard's. */
  readonly isOwn: boolean;
  readonly sessions: readonly Session[];
}

/** Groups the sessions; the largest group first, Poolguard's own last. */
export function groupByPool({ sessions }: Pick<ActivityReport, 'sessions'>): readonly PoolGroup[] {
  const members = new Map<string, Session[]>();
  for (const session of sessions) {
    const key = JSON.stringify([
      session.application,
      session.user,
      session.database,
      session.clientAddress,
    ]);
    const group = members.get(key);
    if (group === undefined) members.set(key, [session]);
    else group.push(session);
  }
  return [...members].flatMap(([key, group]) => toGroup(key, group)).sort(byImportance);
}

/** True for an open transaction without a running statement, failed or not. */
export function isIdleInTransaction({ state }: Pick<Session, 'state'>): boolean {
  return state === 'idle in transaction' || state === 'idle in transaction (aborted)';
}

function toGroup(key: string, sessions: readonly Session[]): PoolGroup[] {
  const [first] = sessions;
  if (first === undefined) return [];
  return [
    {
      key,
      application: first.application,
      user: first.user,
      database: first.database,
      clientAddress: first.clientAddress,
      count: sessions.length,
      split: toSplit(sessions),
      longestIdleInTransactionMs: longest(
        sessions.filter(isIdleInTransaction).map(({ stateAgeMs }) => stateAgeMs),
      ),
      longestTransactionMs: longest(sessions.map(({ transactionAgeMs }) => transactionAgeMs)),
      isOwn: sessions.every(({ isOwn }) => isOwn),
      sessions,
    },
  ];
}

function longest(ages: readonly (number | null)[]): number | null {
  return ages.reduce((most, age) => (age === null ? most : Math.max(most ?? 0, age)), null);
}

function byImportance(a: PoolGroup, b: PoolGroup): number {
  return Number(a.isOwn) - Number(b.isOwn) || b.count - a.count || (a.key < b.key ? -1 : 1);
}
