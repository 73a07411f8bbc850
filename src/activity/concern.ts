import { describeAge } from './age.ts';
import { groupByPool, isIdleInTransaction } from './group-by-pool.ts';
import type { ActivityReport, ConnectionLimit, Session } from './snapshot.ts';
import { defaultThresholds, type Thresholds } from './thresholds.ts';

/** Something in a snapshot that passed a threshold. */
export interface Concern {
  readonly kind:
    | 'idle-in-transaction'
    | 'long-transaction'
    | 'blocked'
    | 'many-waiting'
    | 'busy-pool'
    | 'little-headroom'
    | 'near-limit';
  readonly severity: 'warning' | 'critical';
  /** Whole sentences. Their parts come from numbers, and from paths of the workspace, never from database text. */
  readonly sentence: string;
  /** The sessions that it is about. */
  readonly pids: readonly number[];
}

/** What in the snapshot deserves attention, the worst first. Empty when all is well. */
export function findConcerns(
  report: ActivityReport,
  thresholds: Thresholds = defaultThresholds,
): readonly Concern[] {
  const { sessions } = report;
  const concerns = [
    ...headroomConcern(report, thresholds),
    ...report.headroom.limits.flatMap((limit) => limitConcern(limit, report, thresholds)),
    ...sessionsConcern(
      'idle-in-transaction',
      idleInTransaction(sessions, thresholds),
      ({ stateAgeMs }) => stateAgeMs,
      idleSentence,
    ),
    ...sessionsConcern(
      'blocked',
      blocked(sessions, thresholds),
      ({ stateAgeMs }) => stateAgeMs,
      blockedSentence,
    ),
    ...waitingConcern(sessions, thresholds),
    ...sessionsConcern(
      'long-transaction',
      longTransactions(sessions, thresholds),
      ({ transactionAgeMs }) => transactionAgeMs,
      longSentence,
    ),
    ...busyPools(report, thresholds),
  ];
  return concerns.sort(
    (a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'),
  );
}

/** A server with fewer connections than this keeps a part as large free. */
const usualMaxConnections = 100;

function headroomConcern(
  { headroom: { used, usable, free, maxConnections } }: ActivityReport,
  { usedWarning, usedCritical, keptFree }: Thresholds,
): Concern[] {
  const share = usable === 0 ? 1 : used / usable;
  if (share < usedWarning && free >= keptFree * Math.min(1, maxConnections / usualMaxConnections))
    return [];
  const beyond =
    used > usable
      ? ` Superusers, or roles with a reserve of their own, hold ${used - usable} beyond these.`
      : '';
  const sentence = `${Math.min(used, usable)} of ${usable} usable connections are taken (${percent(Math.min(1, share))}): ${free} left.${beyond}`;
  return [
    {
      kind: 'little-headroom',
      severity: share >= usedCritical ? 'critical' : 'warning',
      sentence,
      pids: [],
    },
  ];
}

function limitConcern(
  { scope, name, limit, used, free, isOwn }: ConnectionLimit,
  { sessions }: ActivityReport,
  { usedWarning, usedCritical }: Thresholds,
): Concern[] {
  if (limit === null || limit === 0 || used / limit < usedWarning) return [];
  const sentence = `${isOwn ? 'This' : 'A'} ${scope} has ${used} of the ${limit} connections that its own limit allows (${percent(used / limit)}): ${free ?? 0} left.`;
  const pids = sessions
    .filter((session) => session[scope === 'role' ? 'user' : 'database'] === name)
    .map(({ pid }) => pid);
  return [
    {
      kind: 'near-limit',
      severity: used / limit >= usedCritical ? 'critical' : 'warning',
      sentence,
      pids,
    },
  ];
}

function waitingConcern(sessions: readonly Session[], { waitingSessions }: Thresholds): Concern[] {
  const pids = sessions.filter(({ isWaiting, isOwn }) => isWaiting && !isOwn).map(({ pid }) => pid);
  if (pids.length < waitingSessions) return [];
  const sentence = `${pids.length === 1 ? '1 session waits' : `${pids.length} sessions wait`} for locks at the same time.`;
  return [{ kind: 'many-waiting', severity: 'warning', sentence, pids }];
}

/** In a smaller pool one caller at work leaves less than a tenth idle. */
const leastPoolSize = 10;

function busyPools(report: ActivityReport, { idleShare }: Thresholds): Concern[] {
  return groupByPool(report).flatMap(({ isOwn, count, split, sessions }) => {
    if (isOwn || count < leastPoolSize || split.hidden > 0 || split.idle / count >= idleShare)
      return [];
    const pids = sessions.map(({ pid }) => pid);
    return [
      {
        kind: 'busy-pool',
        severity: 'warning',
        sentence: `${count - split.idle} of the ${count} sessions of a pool are taken: ${split.idle} left for the next caller.`,
        pids,
      },
    ];
  });
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function idleInTransaction(
  sessions: readonly Session[],
  { idleInTransactionMs }: Thresholds,
): Session[] {
  return sessions.filter(
    (session) =>
      !session.isOwn &&
      isIdleInTransaction(session) &&
      (session.stateAgeMs ?? 0) > idleInTransactionMs,
  );
}

function blocked(sessions: readonly Session[], { lockWaitMs }: Thresholds): Session[] {
  return sessions.filter(
    ({ isWaiting, blockedBy, stateAgeMs, isOwn }) =>
      !isOwn && isWaiting && blockedBy.length > 0 && (stateAgeMs ?? 0) > lockWaitMs,
  );
}

function longTransactions(sessions: readonly Session[], { transactionMs }: Thresholds): Session[] {
  return sessions.filter(
    (session) =>
      !session.isOwn &&
      session.state === 'active' &&
      !session.isWaiting &&
      (session.transactionAgeMs ?? 0) > transactionMs,
  );
}

function sessionsConcern(
  kind: Concern['kind'],
  found: readonly Session[],
  age: (session: Session) => number | null,
  say: (who: string, since: string) => string,
): Concern[] {
  if (found.length === 0) return [];
  const longest = describeAge(Math.max(...found.map((session) => age(session) ?? 0)));
  const pids = found.map(({ pid }) => pid);
  const [who, since] =
    found.length === 1
      ? [`Session ${listPids(pids)} has`, ` for ${longest}`]
      : [`${found.length} sessions (${listPids(pids)}) have`, `, the longest for ${longest}`];
  return [{ kind, severity: 'warning', sentence: say(who, since), pids }];
}

const idleSentence = (who: string, since: string) =>
  `${who} been idle in transaction${since}: a client is held while no statement runs.`;
const blockedSentence = (who: string, since: string) =>
  `${who} been blocked by a lock${since}. The blocking tree shows who holds it.`;
const longSentence = (who: string, since: string) => `${who} had a transaction open${since}.`;

function listPids(pids: readonly number[]): string {
  const shown = pids.slice(0, 5).join(', ');
  return pids.length > 5 ? `${shown} and ${pids.length - 5} more` : shown;
}
