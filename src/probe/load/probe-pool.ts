import { toDatabaseFailure } from '../../database/failure.ts';
import { openPool } from '../../database/open-pool.ts';
import { cancelOwnStatements, prepareProbeSession, type Asker } from '../../database/probe-server.ts';
import type { Refusal } from '../refusal.ts';
import { applicationName, type Stage } from '../stage.ts';
import { runOnceOn } from '../workload/run-once.ts';
import type { Lender } from './lender.ts';
import { fillPool, toPoolLender } from './pool-lender.ts';

/** A real pool that a probe drives. */
export interface ProbePool {
  readonly kind: 'pool';
  readonly lender: Lender;
  /** Ends statements that still run, then closes every connection, within a second in any case. Never rejects. */
  close(): Promise<void>;
}

export interface ProbePoolOptions {
  readonly max: number;
  /** `connectionTimeoutMillis`. */
  readonly waitLimitMs: number;
}

/** Long enough for every client to wait for all others twice, and never longer than five seconds. */
export function statementTimeoutMs(meanMs: number, connections: number): number {
  return Math.round(Math.min(5000, Math.max(2000, 2 * connections * meanMs)));
}

const closeMs = 1000;

/** Opens a pool of `max` clients, all of them connected, or says why not; then none is left open. */
export async function openProbePool({ request, around, asker, workload }: Pick<Stage, 'request' | 'around' | 'asker' | 'workload'>, { max, waitLimitMs }: ProbePoolOptions): Promise<ProbePool | Refusal> {
  const { target, secret } = request;
  const timeoutMs = statementTimeoutMs(workload.meanMs, max);
  const pool = openPool(target, secret, {
    max,
    applicationName: applicationName(around),
    connectTimeoutMs: waitLimitMs,
    statementTimeoutMs: timeoutMs,
    lockTimeoutMs: timeoutMs,
    // Those of a large pool may stand idle for as long as the load is low.
    idleTimeoutMs: 600_000,
    prepare: prepareProbeSession,
  });
  const close = () => closePool(pool, asker, around.clock);
  try {
    await fillPool(pool, max);
  } catch (error) {
    await close();
    return { kind: 'refused', sentence: toDatabaseFailure(error, { target, secret, during: 'connect' }).sentence };
  }
  return { kind: 'pool', lender: toPoolLender(pool, (client) => runOnceOn(client, workload, around.random)), close };
}

async function closePool(pool: ReturnType<typeof openPool>, asker: Asker, clock: Stage['around']['clock']): Promise<void> {
  const isBusy = pool.totalCount > pool.idleCount;
  if (isBusy) await cancelOwnStatements(asker);
  const over = new AbortController();
  await Promise.race([pool.end().catch(() => undefined), clock.wait(closeMs, over.signal)]);
  over.abort();
}
