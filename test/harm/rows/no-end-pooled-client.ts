import { setTimeout } from 'node:timers/promises';
import { exhausted, harm, outcome, patienceMs } from '../harm.ts';

interface Users {
  countUsers(): Promise<unknown>;
}

export const endPooledClient = [
  harm<Users>({
    rule: 'no-end-pooled-client',
    name: 'the connection is closed, its place in the pool stays taken, and the pool never ends',
    tables: 'CREATE TABLE users ()',
    max: 1,
    play: async ({ example, pool, backends }) => {
      await example.countUsers();
      const next = await outcome(example.countUsers());
      const counts = {
        total: pool.totalCount,
        idle: pool.idleCount,
        backends: (await backends()).length,
      };
      return {
        next,
        ...counts,
        end: await Promise.race([outcome(pool.end()), setTimeout(patienceMs, 'still waits')]),
      };
    },
    wrong: {
      example: '❌ Closes the connection and keeps its slot in the pool.',
      seen: { next: exhausted, total: 1, idle: 0, backends: 0, end: 'still waits' },
    },
    right: {
      example: '✅ Releases the client for the next caller.',
      seen: { next: 'ok', total: 1, idle: 1, backends: 1, end: 'ok' },
    },
  }),
];
