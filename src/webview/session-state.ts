import type { Headroom, Session } from '../activity/snapshot.ts';

/** How a session counts in the headroom. */
export type StateKey = keyof Headroom['split'];

/** In the order of the gauge: what holds up others first, what this role cannot see last. */
export const stateLabels: readonly (readonly [key: StateKey, label: string])[] = [
  ['active', 'active'],
  ['waiting', 'waiting for a lock'],
  ['idleInTransaction', 'idle in transaction'],
  ['aborted', 'aborted transaction'],
  ['idle', 'idle'],
  ['other', 'other'],
  ['hidden', 'hidden'],
  ['own', 'Poolguard’s own'],
];

const keys: Readonly<Record<Session['state'], StateKey>> = {
  active: 'active',
  'fastpath function call': 'active',
  idle: 'idle',
  'idle in transaction': 'idleInTransaction',
  'idle in transaction (aborted)': 'aborted',
  starting: 'other',
  disabled: 'other',
  hidden: 'hidden',
};

export function stateKey(session: Session): StateKey {
  return session.isWaiting ? 'waiting' : keys[session.state];
}

export function stateText(session: Session): string {
  if (session.isWaiting) return 'waiting';
  return session.state === 'idle in transaction (aborted)' ? 'aborted transaction' : session.state;
}

/** `Lock: transactionid` when it waits for somebody, else nothing: `ClientRead` is no wait. */
export function waitText(session: Session): string {
  return session.isWaiting ? `${session.waitEventType ?? 'Lock'}: ${session.waitEvent ?? 'unknown'}` : '';
}
