import type { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedServer, type EmbeddedServer } from '../../../scripts/embedded-server.ts';
import { systemClock } from '../../../src/activity/clock.ts';
import { lookOnce } from '../../support/activity-watch.ts';
import { expectFigures } from '../../support/figures.ts';
import { activityFigures, type SessionWorld } from './activity-figures.ts';

const maxConnections = 30;
const superuserReserved = 3;
const reserved = 2;
const roleLimit = 12;

let server: EmbeddedServer;
const clients: pg.Client[] = [];

beforeAll(async () => {
  server = await startEmbeddedServer({
    maxConnections,
    inMemory: true,
    settings: { reserved_connections: String(reserved) },
  });
  const admin = new pg.Client({ connectionString: server.url() });
  await admin.connect();
  await admin.query(
    `CREATE ROLE app LOGIN PASSWORD 'secret' CONNECTION LIMIT ${roleLimit}; GRANT pg_monitor TO app; CREATE TABLE orders (id int); INSERT INTO orders VALUES (1); GRANT ALL ON orders TO app`,
  );
  await admin.end();
});

afterAll(async () => {
  for (const client of clients) client.connection.stream.destroy();
  await server.stop();
});

const asApp = () => server.url().replace(/\/\/[^@]+@/, '//app:secret@');

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: asApp(), application_name: 'shop' });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? NaN;
}

/** What a client that was just set to work will say of itself. */
interface Doing {
  readonly client: pg.Client;
  readonly pid: number;
  readonly begun: number | null;
  readonly asked: number;
  readonly since: number;
  readonly blockedBy: readonly number[];
}

async function set(
  client: pg.Client,
  statements: readonly string[],
  { running, blockedBy = [] }: { running?: string; blockedBy?: readonly number[] } = {},
): Promise<Doing> {
  const pid = await pidOf(client);
  let [begun, asked]: [number | null, number] = [null, performance.now()];
  for (const statement of statements) {
    asked = performance.now();
    if (statement === 'BEGIN') begun = asked;
    await client.query(statement).catch(() => undefined);
  }
  const since = performance.now();
  if (running === undefined) return { client, pid, begun, asked, since, blockedBy };
  client.query(running).catch(() => undefined);
  return { client, pid, begun: begun ?? since, asked: since, since, blockedBy };
}

/** How many more connections of a role a server gives. */
async function countFree(url: string): Promise<number> {
  const opened: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    const isOpen = await client.connect().then(
      () => true,
      () => false,
    );
    if (!isOpen) break;
    opened.push(client);
  }
  await Promise.all(opened.map((client) => client.end()));
  return opened.length;
}

test('every figure of a look is what the clients, the server’s start and other connections say', async () => {
  const holder = await set(await connect(), ['BEGIN', 'UPDATE orders SET id = 2']);
  const doing = [
    holder,
    await set(await connect(), [], { running: 'SELECT pg_sleep(60)' }),
    await set(await connect(), [], {
      running: 'UPDATE orders SET id = 3',
      blockedBy: [holder.pid],
    }),
    await set(await connect(), ['SELECT 1']),
    await set(await connect(), ['SELECT 2']),
    // The server forgets when a transaction began that has failed.
    { ...(await set(await connect(), ['BEGIN', 'SELECT 1/0'])), begun: null },
  ];
  const asked = new pg.Client({ connectionString: server.url() });
  await asked.connect();
  const show = async (name: string) =>
    Number(
      Object.values((await asked.query<Record<string, string>>(`SHOW ${name}`)).rows[0] ?? {})[0],
    );
  const versionNumber = await show('server_version_num');
  await asked.end();
  await systemClock.sleep(1_500, new AbortController().signal);
  const now = performance.now();
  const report = await lookOnce(asApp());
  const sessions = doing.map(
    ({ client, pid, begun, asked: at, since, blockedBy }): SessionWorld => ({
      pid,
      port: (client.connection.stream as Socket).localPort ?? 0,
      transactionAgeMs: begun === null ? null : now - begun,
      queryAgeMs: now - at,
      stateAgeMs: now - since,
      blockedBy,
    }),
  );
  // The look's own session has gone with its connection.
  const freeOfRole = (await countFree(asApp())) - 1;
  expect(report.headroom.forRole.free).toBe(freeOfRole);
  const world = {
    port: Number(new URL(server.url()).port),
    maxConnections,
    superuserReserved,
    reserved,
    versionNumber,
    queryTextLimit: 1_024,
    roleLimit,
    clients: { active: 1, waiting: 1, idle: 2, idleInTransaction: 1, aborted: 1 },
    backends: doing.length + 1,
    ofRole: doing.length + 1,
    sessions,
  };
  const withoutOwn = { ...report, sessions: report.sessions.filter(({ isOwn }) => !isOwn) };
  expectFigures(withoutOwn, activityFigures, world);
});
