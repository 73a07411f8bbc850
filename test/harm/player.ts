// Runs in a process of its own: loads one example after the other, plays its scenario, and tells the parent what was seen.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { answerRequestsLocally } from './internet.ts';
import type { Stage } from './harm.ts';
import type { Play } from './run-examples.ts';
import { harms } from './rows.ts';

process.once('disconnect', () => process.exit());

const plays = JSON.parse(process.env['PLAYS'] ?? '') as readonly Play[];
const { fetch, setTimeout } = globalThis;

async function load(file: string): Promise<unknown> {
  return await import(pathToFileURL(join(process.cwd(), file)).href);
}

async function sessionsOf(
  server: pg.Client,
): Promise<readonly { readonly pid: number; readonly state: string }[]> {
  const { rows } = await server.query<{ pid: number; state: string }>(
    'SELECT pid, state FROM pg_stat_activity WHERE usename = $1 ORDER BY backend_start',
    [process.env['PGUSER']],
  );
  return rows;
}

async function buildStage(server: pg.Client): Promise<Stage<never>> {
  const internet = await answerRequestsLocally();
  const { pool } = (await load('pool.js')) as { readonly pool: pg.Pool };
  return {
    example: (await load('example.js')) as never,
    pool,
    server,
    internet,
    kill: async (pid) => void (await server.query('SELECT pg_terminate_backend($1, 5000)', [pid])),
    backends: async () => (await sessionsOf(server)).map(({ pid }) => pid),
    states: async () => (await sessionsOf(server)).map(({ state }) => state),
  };
}

const server = new pg.Client({ connectionString: process.env['SERVER_URL'] });
await server.connect();
for (const { folder, environment, rule, name } of plays) {
  process.chdir(folder);
  Object.assign(process.env, environment);
  const row = harms.find((each) => each.rule === rule && each.name === name);
  if (row === undefined) throw new Error(`No row ${rule}: ${name}.`);
  const seen = await row.play(await buildStage(server));
  Object.assign(globalThis, { fetch, setTimeout });
  await new Promise((resolve) => process.send?.(seen, resolve));
}
// The harm may be that the process has something left to do indefinitely.
process.exit();
