import type { Pool } from 'pg';
import { harm, outcome } from '../harm.ts';

/** Makes the pool's clock run that many times faster. */
function hurry(times: number): void {
  const realSetTimeout = globalThis.setTimeout;
  globalThis.setTimeout = ((callback: () => void, delayMs: number) => realSetTimeout(callback, delayMs / times)) as typeof setTimeout;
}

export const connectionTimeout = [
  harm<{ readonly pool: Pool }>({
    rule: 'require-connection-timeout',
    name: 'a caller that the pool has no client for still waits after half a minute',
    play: async ({ example: { pool } }) => {
      for (let client = 0; client < pool.options.max; client++) await pool.connect();
      hurry(100);
      const isLate = new Promise<string>((resolve) => setTimeout(() => resolve('still waits'), 30_000));
      return { caller: await Promise.race([outcome(pool.connect()), isLate]) };
    },
    wrong: { example: '❌ Waits for ever.', seen: { caller: 'still waits' } },
    right: { example: '✅ Waits for five seconds.', seen: { caller: 'timeout exceeded when trying to connect' } },
  }),
];
