import type { VerdictKind } from '../size/size-result.ts';
import { applyLimits, type Granted, mostBackends } from './apply-limits.ts';
import type { ProcessRow, ProcessTable } from './process-table.ts';

/** What people run: one process, a few, and as many as a large machine or a small fleet has. */
const usual: readonly number[] = [1, 2, 4, 8, 16];

export interface Shareable {
  readonly kind: VerdictKind;
  /** The size that was found. */
  readonly pick: number;
  /** Pools of this run's application. */
  readonly asked: number;
  readonly granted: Granted;
}

/** Holds the measured size against the server's room for several numbers of processes, the asked one and twice as many among them. */
export function shareProcesses({ kind, pick, asked, granted }: Shareable): ProcessTable {
  const free = mostBackends(granted).size;
  const whole = isOfEachProcess(kind) ? null : pick;
  const numbers = [...new Set([...usual, asked, ...(asked > 1 ? [2 * asked] : [])])].sort(
    (one, other) => one - other,
  );
  const rows = numbers.map((processes): ProcessRow => {
    const measured = Math.ceil(pick / (whole === null ? 1 : processes));
    const tightest = applyLimits({ workers: processes, instances: 1, deployOverlap: 0 }, granted)
      .limits[0]?.perPool;
    const max = Math.min(measured, Math.max(1, tightest ?? measured));
    const clients = processes * measured;
    const backends = Math.min(clients, whole ?? clients, free);
    return {
      processes,
      isAsked: processes === asked,
      direct: {
        max,
        connections: processes * max,
        left: free - processes * max,
        isBounded: max < measured,
      },
      pooled: { max: measured, clients, backends, left: free - backends },
    };
  });
  return { whole, free, rows };
}

/** What a Node process or demand limits, each process has for itself; what the database limits, all share. */
export function isOfEachProcess(kind: VerdictKind): boolean {
  return kind === 'client-bound' || kind === 'not-saturated';
}
