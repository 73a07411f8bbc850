import type { Session } from './snapshot.ts';

/** Names a backend for good: process ids are reused, and a start in microseconds is not. */
export function sessionKey({ pid, backendStart }: Pick<Session, 'pid' | 'backendStart'>): string {
  return `${pid}@${backendStart}`;
}
