import type { Pool } from '../../database/open-pool.ts';
import type { Clock } from '../clock.ts';
import type { RandomSource } from '../random.ts';
import type { PoolValidation } from '../size/size-result.ts';
import { runOnceOn } from '../workload/run-once.ts';
import type { Workload } from '../workload/workload.ts';
import { toLatency } from './latency.ts';

/** Four callers for each client keep the pool busy and its queue visible. */
const callersPerClient = 4;

interface Timing {
  readonly waitMs: number;
  readonly databaseMs: number;
}

export interface ValidationOptions {
  readonly pool: Pool;
  readonly max: number;
  readonly workload: Workload;
  readonly random: RandomSource;
  readonly durationMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Drives a real pool in a closed loop. Null when it was cancelled or nothing came back; failed statements are left out. */
export async function validatePool({ pool, max, workload, random, durationMs, clock, signal }: ValidationOptions): Promise<PoolValidation | null> {
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
        await runOnceOn(client, workload, random);
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
  const load = {
    seconds: run.elapsedMs / 1000,
    requests: timings.length,
    throughput: (timings.length / run.elapsedMs) * 1000,
    latency: toLatency(timings.map(({ waitMs, databaseMs }) => waitMs + databaseMs)),
    wait: toLatency(timings.map(({ waitMs }) => waitMs)),
    database: toLatency(timings.map(({ databaseMs }) => databaseMs)),
    peakWaiting: run.peakWaiting,
    errors: {},
    dropped: 0,
    lagP99Ms: null,
  };
  return { max: run.max, closed: { callers: run.callers, load }, open: null };
}
