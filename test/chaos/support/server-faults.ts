import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Fault, Scene } from './trial.ts';

const ours = `SELECT pid FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`;

/** What happens to servers. Each concerns everybody on it, so trials with them run one at a time. */
export const serverFaults: readonly Fault[] = [
  {
    name: 'restart, fast',
    strike: ({ arena, random }) => arena.server.restart('fast', 1500 * random()),
  },
  {
    name: 'restart, immediate',
    strike: ({ arena, random }) => arena.server.restart('immediate', 1500 * random()),
  },
  {
    name: 'the server stands still (SIGSTOP)',
    strike: async ({ arena, random }) => {
      arena.server.freeze();
      await wait(1000 + 6000 * random());
      arena.server.thaw();
    },
  },
  { name: 'no connection left', strike: exhaust },
  {
    name: 'sessions terminated',
    strike: async ({ arena }) =>
      void (await arena.server.ask(`SELECT pg_terminate_backend(pid) FROM (${ours}) AS ours`, [
        arena.database,
      ])),
  },
  {
    name: 'statements cancelled',
    strike: async ({ arena }) =>
      void (await arena.server.ask(`SELECT pg_cancel_backend(pid) FROM (${ours}) AS ours`, [
        arena.database,
      ])),
  },
  {
    name: 'a backend crashes (SIGKILL)',
    strike: async ({ arena }) => {
      const [row] = await arena.server.ask(ours, [arena.database]);
      if (typeof row?.['pid'] === 'number') process.kill(row['pid'], 'SIGKILL');
    },
  },
];

/** What happens to poolers. */
export const poolerFaults: readonly Fault[] = [
  {
    name: 'PgBouncer restarts',
    strike: ({ arena, random }) => arena.restartPooler(1500 * random()),
  },
  {
    name: 'PgBouncer is paused',
    strike: async ({ arena, random }) => {
      const paused = arena.tellPooler('PAUSE');
      await wait(500 + 3000 * random());
      // PAUSE itself waits for the transactions that run.
      await paused;
      await arena.tellPooler('RESUME');
    },
  },
];

/** Others, of an ordinary role, take every connection that the server still gives. */
async function exhaust({ arena, random }: Scene): Promise<void> {
  const url = new URL(arena.server.url('postgres'));
  const { username, password } = new URL(arena.url);
  Object.assign(url, { username, password });
  const others: pg.Client[] = [];
  for (let isFull = false; !isFull;) {
    const client = new pg.Client({ connectionString: url.href, application_name: 'others' });
    client.on('error', () => undefined);
    isFull = await client.connect().then(
      () => false,
      () => true,
    );
    if (!isFull) others.push(client);
  }
  await wait(500 + 2000 * random());
  await Promise.all(others.map((client) => client.end().catch(() => undefined)));
}
