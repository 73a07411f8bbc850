import type { Pool } from 'pg';
import { exhausted, harm, hurry, outcome, type Stage } from '../harm.ts';

interface Made {
  readonly pool: Pool;
}

/** Takes all clients, and asks for one more. */
async function askTooMuch({
  example: { pool },
}: Stage<Made>): Promise<{ readonly caller: string }> {
  for (let client = 0; client < pool.options.max; client++) await pool.connect();
  hurry(100);
  const isLate = new Promise<string>((resolve) => setTimeout(() => resolve('still waits'), 30_000));
  return { caller: await Promise.race([outcome(pool.connect()), isLate]) };
}

export const connectionTimeout = [
  harm<Made>({
    rule: 'require-connection-timeout',
    name: 'a caller that the pool has no client for still waits after half a minute',
    play: askTooMuch,
    wrong: { example: '❌ Waits indefinitely.', seen: { caller: 'still waits' } },
    right: { example: '✅ Waits for five seconds.', seen: { caller: exhausted } },
  }),
  harm<Made>({
    rule: 'require-connection-timeout',
    name: 'a limit of 0 is none',
    play: askTooMuch,
    wrong: { example: '❌ Switches the limit off.', seen: { caller: 'still waits' } },
    right: { example: '✅ Lets the environment choose.', seen: { caller: exhausted } },
  }),
];
