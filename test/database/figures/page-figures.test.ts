import { Socket, type TcpSocketConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, test } from 'vitest';
import { startEmbeddedServer, type EmbeddedServer } from '../../../scripts/embedded-server.ts';
import { emptyActivity, nextActivity } from '../../../src/activity/activity-model.ts';
import { defaultThresholds } from '../../../src/activity/thresholds.ts';
import { lookOnce } from '../../support/activity-watch.ts';
import { expectFigures } from '../../support/figures.ts';
import { pageFigures } from './page-figures.ts';

const update = 'UPDATE orders SET id = 2';
const declared = { applicationName: 'shop', max: 7, label: 'src/db.ts:3' };
const place = { label: 'src/orders.ts:4', match: 'exact', others: 2, rule: null } as const;
const held = { app: 'shop', pid: 4711, forMs: 1_500, place: null };

let server: EmbeddedServer;
const clients: pg.Client[] = [];

beforeAll(async () => {
  server = await startEmbeddedServer({ inMemory: true });
  const admin = new pg.Client({ connectionString: server.url() });
  await admin.connect();
  await admin.query('CREATE TABLE orders (id int); INSERT INTO orders VALUES (1)');
  await admin.end();
});

afterAll(async () => {
  for (const client of clients) client.connection.stream.destroy();
  await server.stop();
});

/** A client, from a port of this machine if one is given. */
async function open(application: string, localPort?: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: server.url(),
    application_name: application,
    ...(localPort === undefined ? {} : { stream: () => socketFrom(localPort) }),
  });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

function socketFrom(localPort: number): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket) as (options: TcpSocketConnectOpts) => Socket;
  socket.connect = ((port: number, host: string) =>
    connect({ port, host, localPort })) as Socket['connect'];
  return socket;
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? NaN;
}

/** Three clients on neighbouring ports, as a process has that opens its pool at its start. */
async function openThree(port: number) {
  const ports = [port, port + 1, port + 2] as const;
  const [one, two, three] = await Promise.all([
    open('shop', ports[0]),
    open('shop', ports[1]),
    open('shop', ports[2]),
  ]);
  const pids = [await pidOf(one), await pidOf(two), await pidOf(three)] as const;
  return { clients: [one, two, three] as const, pids, ports };
}

test('every figure of pools, curves and concerns is what the test’s clients and clock say', async () => {
  // Below those that the system gives, and others in the next run.
  const port = 10_000 + ((process.pid * 8) % 16_000);
  const first = await openThree(port);
  const workers = await Promise.all([open('worker'), open('worker')]);
  await sleep(4_000);
  const second = await openThree(port + 4_000);
  const [holder, blocked] = first.clients;
  const begun = performance.now();
  await holder.query('BEGIN');
  await sleep(400);
  await holder.query(update);
  const updated = performance.now();
  blocked.query(update).catch(() => undefined);
  await sleep(900);

  const options = {
    thresholds: { ...defaultThresholds, idleInTransactionMs: 500, lockWaitMs: 500 },
    code: {
      pools: [declared],
      placeOf: (query: string) => (query === update ? place : null),
    },
    holderOf: ({ pid }: { readonly pid: number }) => (pid === first.pids[0] ? held : null),
  };
  const looks = [Date.now()];
  const before = nextActivity(emptyActivity, await lookOnce(server.url()), options);
  await Promise.all([...workers, second.clients[2]].map((client) => client.end()));
  await sleep(1_000);
  looks.push(Date.now());
  const now = performance.now();
  const after = nextActivity(before, await lookOnce(server.url()), options);

  const page = {
    pools: after.pools.filter(({ isOwn }) => !isOwn),
    absent: after.absent,
    concerns: after.concerns,
    history: after.history,
    times: after.times,
    places: Object.values(after.places).filter((each) => each !== null),
    holders: Object.values(after.holders),
  };
  expectFigures(page, pageFigures, {
    processes: [first, { pids: second.pids.slice(0, 2), ports: second.ports.slice(0, 2) }],
    states: { active: 0, waiting: 1, idle: 3, idleInTransaction: 1 },
    clients: [6, 5],
    workers: [2, 0],
    // With the look's own.
    backends: [9, 6],
    looks,
    idleInTransactionMs: now - updated,
    transactionMs: now - begun,
    holder: first.pids[0],
    blocked: first.pids[1],
    declaredMax: declared.max,
    otherPlaces: place.others,
    held,
  });
});
