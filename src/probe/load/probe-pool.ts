import { toDatabaseFailure } from '../../database/failure.ts';
import {
  openPool,
  type Pool,
  type PoolClient,
  type UndoingPool,
} from '../../database/open-pool.ts';
import { cancelOwnStatements } from '../../database/probe-server.ts';
import type { Asker } from '../../database/session.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { toProbeLimits, toStatementTimeoutMs } from '../safety/probe-limits.ts';
import type { ExperimentContext } from '../experiment-context.ts';
import { breaksConnection, type ConnectionSource } from './connection-source.ts';

/** A real pool that a probe drives. */
export interface ProbePool {
  readonly kind: 'pool';
  readonly source: ConnectionSource;
  /** Ends statements that still run, then closes every connection, within a second in any case. Never rejects. */
  close(): Promise<void>;
}

export interface ProbePoolOptions {
  readonly max: number;
  /** `connectionTimeoutMillis`. */
  readonly waitLimitMs: number;
  /** For seconds only: statements are sent as by `pool.query`, not prepared, and each costs what it costs there. */
  readonly asInApplication?: boolean;
}

const closeMs = 1000;
const connectMs = 5000;

/** Opens a pool of `max` clients, all of them connected, or says why not; then none is left open. */
export async function openProbePool(
  {
    request,
    environment,
    observer,
    asker,
    workload,
    tally,
  }: Pick<
    ExperimentContext,
    'request' | 'environment' | 'observer' | 'asker' | 'workload' | 'tally'
  >,
  { max, waitLimitMs, asInApplication = false }: ProbePoolOptions,
): Promise<ProbePool | Refusal> {
  const { target, secret } = request;
  const { pool, undoing } = openPool(target, secret, {
    tally,
    inSlices: asInApplication,
    ...toProbeLimits(environment, toStatementTimeoutMs(workload.meanMs, max)),
    max,
    startup: observer.startup,
    connectTimeoutMs: Math.max(connectMs, waitLimitMs),
    // Those of a large pool may stand idle for as long as the load is low.
    idleTimeoutMs: 600_000,
  });
  const close = () => closePool(pool, { undoing, asker, clock: environment.clock });
  try {
    await fillPool(pool, max);
    // One and the same option limits connecting and waiting in line (pg-pool index.js, connect).
    pool.options.connectionTimeoutMillis = waitLimitMs;
  } catch (error) {
    await close();
    return refuse(toDatabaseFailure(error, { target, secret, during: 'connect' }).sentence);
  }
  const next = () => {
    const { name, ...statement } = workload.next(environment.random);
    return asInApplication || name === undefined ? statement : { ...statement, name };
  };
  return {
    kind: 'pool',
    source: toPoolSource(pool, async (client) => void (await undoing(client).run(next()))),
    close,
  };
}

interface Closing extends Pick<UndoingPool, 'undoing'> {
  readonly asker: Asker;
  readonly clock: ExperimentContext['environment']['clock'];
}

async function closePool(pool: Pool, { undoing, asker, clock }: Closing): Promise<void> {
  const isBusy = pool.totalCount > pool.idleCount;
  if (isBusy) await cancelOwnStatements(asker);
  const over = new AbortController();
  const end = async () => {
    await settleIdle(pool, undoing).catch(() => undefined);
    await pool.end();
  };
  await Promise.race([end().catch(() => undefined), clock.wait(closeMs, over.signal)]);
  over.abort();
}

/** Ends the transactions that statements of idle clients share. */
async function settleIdle(pool: Pool, undoing: UndoingPool['undoing']): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of clients) {
    await undoing(client).settle();
    client.release();
  }
}

/** A real pool as a lender; `send` runs one drawn statement on one of its clients. */
function toPoolSource(pool: Pool, send: (client: PoolClient) => Promise<void>): ConnectionSource {
  return {
    showsWait: true,
    look: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      // Until the next tick the pool counts a caller as waiting even if a client is idle (pg-pool index.js, connect).
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
    }),
    acquire: async () => {
      const client = await pool.connect();
      return {
        run: () => send(client),
        giveBack: (error) => client.release(error !== undefined && breaksConnection(error)),
      };
    },
  };
}

/** Opens all clients beforehand, so that connecting is not measured as waiting. Rejects with the error of the first that cannot be opened. */
async function fillPool(pool: Pool, max: number): Promise<void> {
  const answers = await Promise.allSettled(Array.from({ length: max }, () => pool.connect()));
  for (const answer of answers) if (answer.status === 'fulfilled') answer.value.release();
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}
