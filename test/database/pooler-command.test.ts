import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/cli-run.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';

let database: OwnedDatabase;
let pooler: PgBouncer;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createOwnedDatabase();
  pooler = await startPgBouncer(database.url, 2, {
    settings: { stats_users: new URL(database.url).username },
  });
});

afterEach(() => {
  for (const client of clients.splice(0)) client.connection.stream.destroy();
});

afterAll(async () => {
  await pooler[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function client(application: string): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: pooler.url, application_name: application });
  made.on('error', () => undefined);
  await made.connect();
  clients.push(made);
  return made;
}

/** Two lend all there is, three wait until somebody has waited for a second. */
async function saturate(): Promise<void> {
  const all = await Promise.all(['\u001B[31mred', 'b', 'c', 'd', 'e'].map(client));
  await Promise.race(all.map((each) => each.query('BEGIN').catch(() => undefined)));
  const longestWaitMs = async () =>
    (JSON.parse((await run('--json')).stdout) as { totals: { longestWaitMs: number } }).totals
      .longestWaitMs;
  await expect.poll(longestWaitMs).toBeGreaterThan(1_000);
}

function run(...flags: readonly string[]) {
  return runInProcess(['pooler', ...flags], { env: { DATABASE_URL: pooler.url } });
}

test('a calm pooler: fine, and says so', async () => {
  const { code, stdout } = await run('--check');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^PgBouncer 1\.\d+\.\d+ in front: no client waits\n/);
  expect(stdout).toContain('transaction mode, 2 servers a pool');
  expect(stdout).toContain('Nothing needs attention.');
});

test('a saturated one: who waits and since when, as a table, as JSON, as an exit code', async () => {
  await saturate();
  const { code, stdout } = await run('--check', '--all');
  expect(code).toBe(1);
  expect(stdout).toMatch(/in front: 3 clients wait, the longest for \d\.\d s/);
  expect(stdout).toMatch(
    /! 3 clients wait for a server connection, the longest for \d\.\d s: all 2 of the pool are in use\./,
  );
  expect(stdout).toMatch(
    /^database +user +waiting +longest wait +clients +servers in use +idle +mode$/m,
  );
  expect(stdout).toMatch(/ 3 +\d\.\d s +2 +2 of 2 +0 +transaction$/m);
  expect(stdout.match(/^waiting /gm)).toHaveLength(3);
  expect(stdout).not.toContain('\u001B');
  const report = JSON.parse((await run('--json')).stdout) as unknown;
  expect(report).toMatchObject({
    schemaVersion: 1,
    pooler: { product: 'PgBouncer' },
    totals: { clientsActive: 2, clientsWaiting: 3, serversActive: 2 },
    clients: null,
  });
});

test('watched: one line of JSON a look, until it is stopped', async () => {
  const stopper = new AbortController();
  const onOutput = (soFar: string) => soFar.split('\n').length > 2 && stopper.abort();
  const { code, stdout } = await runInProcess(['pooler', '--watch', '0.5', '--json', '--all'], {
    env: { DATABASE_URL: pooler.url },
    signal: stopper.signal,
    onOutput,
  });
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { schemaVersion: number }).schemaVersion),
  ).toEqual([1, 1]);
});

test('watched on a terminal, the screen is given back', async () => {
  const stopper = new AbortController();
  const { stdout } = await runInProcess(['pooler', '--watch'], {
    env: { DATABASE_URL: pooler.url },
    signal: stopper.signal,
    size: { columns: 100, rows: 30 },
    onOutput: (soFar) => soFar.includes('in front: ') && stopper.abort(),
  });
  expect(stdout).toContain('Ctrl-C ends.');
  expect(stdout.endsWith('\u001B[?1049l')).toBe(true);
});

test('the server itself has no console: one sentence, exit code 2, no password', async () => {
  const { code, stdout, stderr } = await runInProcess(['pooler'], {
    env: { DATABASE_URL: database.url },
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^There is no pooler console at 127\.0\.0\.1:\d+\. PgBouncer has one/);
  expect(stderr).not.toContain(new URL(database.url).password);
});
