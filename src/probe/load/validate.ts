import { mean, quantileSorted } from 'simple-statistics';
import type { Pool } from '../../database/open-pool.ts';
import type { Clock } from '../clock.ts';
import type { PoolValidation } from '../result.ts';

/** With fewer samples a 99th percentile means nothing: its 95 % interval would reach the maximum. */
const fewestForP99 = 1000;
/** Four callers for each client keep the pool busy and its queue visible. */
const callersPerClient = 4;

interface Timing {
  readonly waitMs: number;
  readonly databaseMs: number;
}

export interface ValidationOptions {
  readonly pool: Pool;
  readonly max: number;
  readonly statement: string;
  readonly durationMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Drives a real pool in a closed loop. Null when it was cancelled or nothing came back; failed statements are left out. */
export async function validatePool({ pool, max, statement, durationMs, clock, signal }: ValidationOptions): Promise<PoolValidation | null> {
  await fill(pool, max);
  const timings: Timing[] = [];
  const callers = callersPerClient * max;
  const started = clock.now();
  let peakWaiting = 0;
  const call = async () => {
    while (!signal.aborted && clock.now() - started < durationMs) {
      const asked = clock.now();
      const client = await pool.connect();
      try {
        const got = clock.now();
        await client.query({ name: 'poolguard_probe', text: statement });
        timings.push({ waitMs: got - asked, databaseMs: clock.now() - got });
        // Not right after `connect()`: until the next tick the pool counts a caller as waiting even if a client is idle (pg-pool index.js, connect).
        peakWaiting = Math.max(peakWaiting, pool.waitingCount);
      } finally {
        client.release();
      }
    }
  };
  // A failing caller ends; the others show what the pool still does.
  await Promise.allSettled(Array.from({ length: callers }, call));
  const elapsedMs = clock.now() - started;
  return signal.aborted || timings.length === 0 ? null : summarise(timings, { max, callers, peakWaiting, elapsedMs });
}

/** Opens all clients beforehand, so that connecting is not measured as waiting. */
async function fill(pool: Pool, max: number): Promise<void> {
  const clients = await Promise.allSettled(Array.from({ length: max }, () => pool.connect()));
  for (const client of clients) if (client.status === 'fulfilled') client.value.release();
}

function summarise(timings: readonly Timing[], run: { max: number; callers: number; peakWaiting: number; elapsedMs: number }): PoolValidation {
  const totals = timings.map(({ waitMs, databaseMs }) => waitMs + databaseMs).sort((a, b) => a - b);
  return {
    max: run.max,
    callers: run.callers,
    throughput: (timings.length / run.elapsedMs) * 1000,
    averageMs: mean(totals),
    averageWaitMs: mean(timings.map(({ waitMs }) => waitMs)),
    averageDatabaseMs: mean(timings.map(({ databaseMs }) => databaseMs)),
    p50Ms: quantileSorted(totals, 0.5),
    p95Ms: quantileSorted(totals, 0.95),
    p99Ms: totals.length >= fewestForP99 ? quantileSorted(totals, 0.99) : null,
    peakWaiting: run.peakWaiting,
  };
}
