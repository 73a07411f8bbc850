import type { SessionLimits } from '../../database/session-limits.ts';
import { commonLimits, type ProbeEnvironment } from '../probe-environment.ts';

/** A server before PostgreSQL 14 goes on with the statement of a prober that vanished, so none may run for five seconds. */
const longestMs = 4500;
const shortestMs = 2000;
/** As long as the longest experiment; an idle session of one that nobody hears of any more ends by itself (PostgreSQL 14). */
const idleMs = 1_800_000;

/** Ten times what the statement takes alone, and long enough for every client to wait for all others twice; in milliseconds. */
export function toStatementTimeoutMs(meanMs: number, clients: number): number {
  return Math.round(Math.min(longestMs, Math.max(shortestMs, 10 * meanMs, 2 * clients * meanMs)));
}

/**
 * For every connection of a probe that runs the workload.
 * Locks have no limit of their own: a statement that queues for its own kind is what is measured, and one that only reads keeps nobody waiting by waiting.
 */
export function toProbeLimits(
  around: Pick<ProbeEnvironment, 'probeId' | 'onBreach'>,
  statementTimeoutMs: number,
): Partial<SessionLimits> {
  return {
    ...commonLimits(around),
    runs: 'workload',
    statementTimeoutMs,
    lockTimeoutMs: statementTimeoutMs,
    idleSessionTimeoutMs: idleMs,
  };
}
