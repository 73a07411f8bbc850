import type { Pool, PoolClient } from '../../database/open-pool.ts';
import { breaksConnection } from './error-cause.ts';
import type { Lender } from './lender.ts';

/** A real pool as a lender; `send` runs one drawn statement on one of its clients. */
export function toPoolLender(pool: Pool, send: (client: PoolClient) => Promise<void>): Lender {
  return {
    showsWait: true,
    look: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      // Until the next tick the pool counts a caller as waiting even if a client is idle (pg-pool index.js, connect).
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
    }),
    lend: async () => {
      const client = await pool.connect();
      return {
        run: () => send(client),
        giveBack: (error) => client.release(error !== undefined && breaksConnection(error)),
      };
    },
  };
}

/** Opens all clients beforehand, so that connecting is not measured as waiting. Rejects with the error of the first that cannot be opened. */
export async function fillPool(pool: Pool, max: number): Promise<void> {
  const answers = await Promise.allSettled(Array.from({ length: max }, () => pool.connect()));
  for (const answer of answers) if (answer.status === 'fulfilled') answer.value.release();
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
}
