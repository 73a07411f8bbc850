import type { Pool } from 'pg';
import { harm, hurry, outcome, until } from '../harm.ts';

interface Made {
  readonly pool: Pool;
  subscribe(onJob: () => void): Promise<void>;
}

export const poolErrorHandler = [
  harm<Made>({
    rule: 'require-pool-error-handler',
    name: 'the end of an idle backend ends the process',
    play: async ({ example: { pool }, backends, kill }) => {
      await pool.query('SELECT 1');
      const removed = new Promise((resolve) => pool.once('remove', resolve));
      for (const pid of await backends()) await kill(pid);
      await removed;
      return { next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: {
      example: '❌ No listener.',
      seen: undefined,
      code: 1,
      stderr:
        /Unhandled 'error' event.*terminating connection due to administrator command.*Emitted 'error' event on BoundPool instance/su,
    },
    right: {
      example: '✅ Logs the error.',
      seen: { next: 'ok' },
      stderr: /^error: terminating connection due to administrator command/u,
    },
  }),
  harm<Made>({
    rule: 'require-pool-error-handler',
    name: 'so does that of a backend that is listened to',
    play: async ({ example, backends, kill, server }) => {
      await example.subscribe(() => undefined);
      hurry(50);
      for (const pid of await backends()) await kill(pid);
      await until(async () => (await backends()).length > 0);
      await server.query('SELECT pg_sleep(0.3)');
      return { listeners: (await backends()).length };
    },
    wrong: {
      example: '❌ Keeps a connection for notifications without a listener.',
      seen: undefined,
      code: 1,
      stderr:
        /Unhandled 'error' event.*terminating connection due to administrator command.*Emitted 'error' event on Client instance/su,
    },
    right: {
      example:
        '✅ Reconnects when the connection is lost: one loss can emit `error` twice, and emits `end` once.',
      seen: { listeners: 1 },
      stderr: /^error: terminating connection due to administrator command/u,
    },
  }),
];
