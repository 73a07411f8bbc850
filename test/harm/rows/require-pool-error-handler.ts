import type { Pool } from 'pg';
import { harm, outcome } from '../harm.ts';

export const poolErrorHandler = [
  harm<{ readonly pool: Pool }>({
    rule: 'require-pool-error-handler',
    name: 'the end of an idle backend ends the process',
    play: async ({ example: { pool }, backends, kill }) => {
      await pool.query('SELECT 1');
      for (const pid of await backends()) await kill(pid);
      return { next: await outcome(pool.query('SELECT 1')) };
    },
    wrong: { example: '❌ Nobody listens.', seen: undefined, code: 1, stderr: /Unhandled 'error' event.*terminating connection due to administrator command.*Emitted 'error' event on BoundPool instance/su },
    right: { example: '✅ Logs it.', seen: { next: 'ok' }, stderr: /^error: terminating connection due to administrator command/u },
  }),
];
