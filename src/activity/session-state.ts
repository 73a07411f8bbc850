import { ownName, partOf } from './headroom.ts';
import type { Headroom, Session } from './snapshot.ts';

/** How a session counts in the headroom. */
export type StateKey = keyof Headroom['split'];

/** In the order of the gauge: what blocks others first, what this role cannot see last. */
export const stateLabels: readonly (readonly [key: StateKey, label: string])[] = [
  ['active', 'active'],
  ['waiting', 'waiting for a lock'],
  ['idleInTransaction', 'idle in transaction'],
  ['aborted', 'aborted transaction'],
  ['idle', 'idle'],
  ['other', 'other'],
  ['hidden', 'hidden'],
  ['own', ownName],
];

export function stateKey(session: Session): StateKey {
  return partOf(session);
}

/** The state in the words of `pg_stat_activity`, except that what waits for a lock is "waiting" and a failed transaction "aborted transaction". */
export function stateText(session: Session): string {
  if (session.isWaiting) return 'waiting';
  return session.state === 'idle in transaction (aborted)' ? 'aborted transaction' : session.state;
}

/** How long the statement runs that a session is running: `query_start` of one that rests is of a statement that has ended. */
export function runningMs({ state, queryAgeMs }: Session): number | null {
  return state === 'active' ? queryAgeMs : null;
}

/** `Lock: transactionid` when it waits for somebody, else nothing: `ClientRead` is no wait. */
export function waitText({ isWaiting, waitEventType, waitEvent }: Session): string {
  return isWaiting ? `${waitEventType ?? 'Lock'}: ${waitEvent ?? 'unknown'}` : '';
}

/** Process ids; a prepared transaction has none, and the server calls it 0. */
export function blockersText({ blockedBy }: Session): string {
  return blockedBy.map((pid) => (pid === 0 ? 'prepared transaction' : String(pid))).join(', ');
}

/** "10.0.0.1:50000" or "local socket"; empty for a hidden session, of which no address is told. */
export function clientText({ state, clientAddress, clientPort }: Session): string {
  if (clientAddress === null) return state === 'hidden' ? '' : 'local socket';
  return `${clientAddress}${clientPort === null ? '' : `:${clientPort}`}`;
}

/** What the last statement of a session took that runs none: it rests since its end. */
export function statementTookMs(session: Session): number | null {
  const { queryAgeMs, stateAgeMs } = session;
  const isAtRest = session.state === 'idle' || session.state.startsWith('idle in transaction');
  return isAtRest && queryAgeMs !== null && stateAgeMs !== null && queryAgeMs >= stateAgeMs
    ? queryAgeMs - stateAgeMs
    : null;
}
