import type { ServerRoom } from '../size/plan.ts';
import type { Recommendation, VerdictKind } from '../result.ts';
import type { Estimate } from '../size/statistics.ts';

/** Connections kept for people and tools: migrations, a console, monitoring. */
const keptForAdmins = 10;

export interface WorkerRoom {
  readonly workers: number;
  readonly server: Pick<ServerRoom, 'maxConnections' | 'reserved'>;
}

/** What each worker process may open at most when all of them share the server. At least 1. */
export function roomPerWorker({ workers, server }: WorkerRoom): number {
  return Math.max(1, Math.floor((server.maxConnections - server.reserved - keptForAdmins) / workers));
}

/**
 * Turns the measured size into the `max` of one worker process.
 *
 * A limit of the database is shared by all workers; a limit of the Node process (`client-bound`) is each worker's own.
 */
export function recommend(kind: VerdictKind, estimate: Estimate, room: WorkerRoom): Recommendation {
  const share = kind === 'client-bound' || kind === 'not-saturated' ? 1 : room.workers;
  const measured = Math.ceil(estimate.pick / share);
  const most = roomPerWorker(room);
  return {
    max: Math.min(measured, most),
    interval: [Math.ceil(estimate.interval[0] / share), Math.ceil(estimate.interval[1] / share)],
    confidence: estimate.confidence,
    limitedBy: most < measured ? describeRoom(most, room) : describeMeasured(kind, estimate.pick, share),
  };
}

function describeRoom(most: number, { workers, server }: WorkerRoom): string {
  return `the server's room: (max_connections ${server.maxConnections} − ${server.reserved} reserved − ${keptForAdmins} for administration) / ${workers} worker${workers === 1 ? '' : 's'} = ${most}`;
}

function describeMeasured(kind: VerdictKind, pick: number, share: number): string {
  if (kind === 'not-saturated') return `the largest size of this run (${pick}); demand decides, not the database`;
  return share === 1 ? `the measured curve, which is flat from ${pick} on` : `the measured curve, which is flat from ${pick} on: ${pick} for all ${share} workers together`;
}
