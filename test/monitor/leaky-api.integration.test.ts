import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startExample, type ExampleApp } from '../../scripts/start/example-app.ts';
import { lintExample } from '../../scripts/start/lint-example.ts';
import { watchPools, type PoolWatch } from '../../scripts/start/pool-watch.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
/** The stand-in takes longer, an ordinary statement does not. */
const heldMs = 120;

/** What holds a client for long or indefinitely, by the line that acquires it. */
const calls = [
  ['src/routes/users.ts:12', 'GET', '/users/999999'],
  ['src/repositories/order-repository.ts:16', 'GET', '/orders/abc'],
  ['src/repositories/order-repository.ts:23', 'POST', '/orders'],
  ['src/repositories/order-repository.ts:43', 'POST', '/orders/abc/cancel'],
  ['src/repositories/order-repository.ts:58', 'GET', '/orders/1/paid'],
  ['src/routes/orders.ts:29', 'POST', '/orders/2/ship'],
  ['src/routes/health.ts:13', 'GET', '/health/ready'],
  ['legacy/invoices.cjs:4', 'GET', '/legacy/invoices/abc'],
  ['legacy/audit.cjs:4', 'GET', '/legacy/audit/abc'],
] as const;

let database: FreshDatabase;
let folder: TemporaryFolder;
let relay: Relay;
let watch: PoolWatch;
let app: ExampleApp;
/** Creating the tables takes its time as well. */
let atStart: readonly string[];

beforeAll(async () => {
  database = await createFreshDatabase();
  folder = await createTemporaryFolder();
  const url = new URL(database.url);
  relay = await startRelay(Number(url.port));
  url.port = String(relay.port);
  watch = await watchPools({
    registerPath: join(root, 'dist/pool-watch.cjs'),
    folder: folder.path,
    heldMs,
  });
  app = await startExample('leaky-api', {
    databaseUrl: url.href,
    poolMax: 20,
    standInDelayMs: 300,
    environment: watch.variables,
  });
  atStart = toldPlaces();
});

afterAll(async () => {
  await app.stop();
  await watch[Symbol.asyncDispose]();
  await relay.stop();
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

test.each(calls)('%s is told when %s %s holds its client', async (place, method, path) => {
  const body =
    method === 'POST'
      ? {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ userId: 1, total: 12 }),
        }
      : {};
  const asked = fetch(app.url + path, { method, ...body });
  await expect.poll(toldPlaces).toContain(place);
  await asked;
});

test('a client whose BEGIN gets no answer is told', async () => {
  // So that the pool has a client to lend, and need not open one.
  await fetch(`${app.url}/users`);
  relay.freeze();
  const asked = fetch(`${app.url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', name: 'Ada' }),
  });
  await expect.poll(toldPlaces).toContain('src/routes/users.ts:25');
  relay.thaw();
  expect((await asked).status).toBe(201);
});

test('what was told is what the linter finds in the same code: every line of it, and no other', async () => {
  const { files } = await lintExample(
    join(root, 'examples/leaky-api'),
    root,
    () => undefined,
    new AbortController().signal,
  );
  const found = files.flatMap(({ path, problems }) =>
    problems
      .filter(
        ({ rule }) =>
          rule === 'poolguard/no-unreleased-client' ||
          rule === 'poolguard/no-external-await-while-holding',
      )
      .map(({ place, steps: [checkout] }) =>
        `${path}:${(checkout?.place ?? place).start.line}`.replace('examples/leaky-api/', ''),
      ),
  );
  expect(
    toldPlaces()
      .filter((place) => !atStart.includes(place))
      .sort(),
  ).toEqual([...new Set(found)].sort());
});

test('it knows which of them never came back', () => {
  const lost = watch
    .lines()
    .filter((line) => line.lost > 0)
    .map(({ place: { file, line } }) => nameOf(file, line));
  expect(lost.sort()).toEqual([
    'legacy/audit.cjs:4',
    'legacy/invoices.cjs:4',
    'src/repositories/order-repository.ts:16',
    'src/repositories/order-repository.ts:43',
    'src/routes/health.ts:13',
    'src/routes/users.ts:12',
  ]);
});

function toldPlaces(): readonly string[] {
  return watch.lines().map(({ place: { file, line } }) => nameOf(file, line));
}

function nameOf(file: string, line: number): string {
  return `${file.replace(join(root, 'examples/leaky-api/'), '')}:${line}`;
}
