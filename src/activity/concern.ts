import { describeAge } from './age.ts';
import { isIdleInTransaction } from './group-by-pool.ts';
import type { ActivityReport, Session } from './snapshot.ts';

/** Something in a snapshot that passed a threshold. */
export interface Concern {
  readonly kind: 'idle-in-transaction' | 'long-transaction' | 'blocked' | 'little-headroom';
  readonly severity: 'warning' | 'critical';
  /** Whole sentences. Their parts come from numbers, and from paths of the workspace, never from database text. */
  readonly sentence: string;
  /** The sessions that it is about. */
  readonly pids: readonly number[];
}

export interface Thresholds {
  /** Longest time idle in a transaction that needs no word, in milliseconds. */
  readonly idleInTransactionMs: number;
  /** Longest time a transaction may be open while it works, in milliseconds. */
  readonly transactionMs: number;
  /** Longest time a session may wait for a lock, in milliseconds. */
  readonly lockWaitMs: number;
  /** Shares of the usable connections that are taken. */
  readonly usedWarning: number;
  readonly usedCritical: number;
}

/** A minute for anything not idle comes from a field report's monitoring query; the shares are customary in PostgreSQL monitoring. */
export const defaultThresholds: Thresholds = {
  idleInTransactionMs: 60_000,
  transactionMs: 60_000,
  lockWaitMs: 5_000,
  usedWarning: 0.8,
  usedCritical: 0.9,
};

/** What in the snapshot deserves attention, the worst first. Empty when all is well. */
export function findConcerns(report: ActivityReport, thresholds: Thresholds = defaultThresholds): readonly Concern[] {
  const { sessions } = report;
  const concerns = [
    ...headroomConcern(report, thresholds),
    ...sessionsConcern('idle-in-transaction', idleInTransaction(sessions, thresholds), ({ stateAgeMs }) => stateAgeMs, idleSentence),
    ...sessionsConcern('blocked', blocked(sessions, thresholds), ({ stateAgeMs }) => stateAgeMs, blockedSentence),
    ...sessionsConcern('long-transaction', longTransactions(sessions, thresholds), ({ transactionAgeMs }) => transactionAgeMs, longSentence),
  ];
  return concerns.sort((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
}

function headroomConcern({ headroom: { used, usable, free } }: ActivityReport, { usedWarning, usedCritical }: Thresholds): Concern[] {
  const share = usable === 0 ? 1 : used / usable;
  if (share < usedWarning) return [];
  const sentence = `${used} of ${usable} usable connections are taken (${Math.round(share * 100)} %): ${free} left.`;
  return [{ kind: 'little-headroom', severity: share >= usedCritical ? 'critical' : 'warning', sentence, pids: [] }];
}

function idleInTransaction(sessions: readonly Session[], { idleInTransactionMs }: Thresholds): Session[] {
  return sessions.filter((session) => isIdleInTransaction(session) && (session.stateAgeMs ?? 0) > idleInTransactionMs);
}

function blocked(sessions: readonly Session[], { lockWaitMs }: Thresholds): Session[] {
  return sessions.filter(({ isWaiting, blockedBy, stateAgeMs }) => isWaiting && blockedBy.length > 0 && (stateAgeMs ?? 0) > lockWaitMs);
}

function longTransactions(sessions: readonly Session[], { transactionMs }: Thresholds): Session[] {
  return sessions.filter((session) => session.state === 'active' && !session.isWaiting && (session.transactionAgeMs ?? 0) > transactionMs);
}

function sessionsConcern(kind: Concern['kind'], found: readonly Session[], age: (session: Session) => number | null, say: (who: string, longest: string) => string): Concern[] {
  if (found.length === 0) return [];
  const longest = describeAge(Math.max(...found.map((session) => age(session) ?? 0)));
  const pids = found.map(({ pid }) => pid);
  const who = `${found.length === 1 ? 'Session' : `${found.length} sessions:`} ${listPids(pids)}`;
  return [{ kind, severity: 'warning', sentence: say(who, longest), pids }];
}

const idleSentence = (who: string, longest: string) => `${who} idle in transaction, longest ${longest}: a client is held while nothing runs on it.`;
const blockedSentence = (who: string, longest: string) => `${who} blocked by a lock, longest ${longest}: see "blocked by" for who holds it.`;
const longSentence = (who: string, longest: string) => `${who} in a transaction that has been open for up to ${longest}.`;

function listPids(pids: readonly number[]): string {
  const shown = pids.slice(0, 5).join(', ');
  return pids.length > 5 ? `${shown} and ${pids.length - 5} more` : shown;
}
