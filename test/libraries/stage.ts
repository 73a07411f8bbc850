import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, createServer as createRelay, type AddressInfo } from 'node:net';
import pg from 'pg';
import { vi } from 'vitest';
import { createFreshDatabase } from '../support/fresh-database.ts';
import type { Opened, PoolOptions } from './sample.ts';

/** A handle whose pool holds one connection, over which it has committed the note `before`. */
export interface Stage<Handle extends Opened> extends AsyncDisposable {
  readonly handle: Handle;
  /** The database's superuser, outside the pool. */
  readonly observer: pg.Client;
  /** The states of the pool's sessions; `waits for a lock` while they do. */
  readonly states: () => Promise<readonly string[]>;
  /** The notes that are committed. */
  readonly notes: () => Promise<readonly string[]>;
  /** What the handle has sent to the server. */
  readonly sent: () => string;
}

interface Openable {
  open(url: string, options: PoolOptions): Opened | Promise<Opened>;
}

type HandleOf<S extends Openable> = Awaited<ReturnType<S['open']>>;

/** Opens a sample on a database of its own. */
export async function openOn<S extends Openable>(
  sample: S,
  { max, patienceMs = 60_000 }: { readonly max: number; readonly patienceMs?: number },
): Promise<Stage<HandleOf<S>>> {
  const database = await createFreshDatabase();
  const observer = new pg.Client({ connectionString: database.url });
  await observer.connect();
  await observer.query("CREATE TABLE note (text text CHECK (text <> 'refused'))");
  const line = await tap(database.ownerUrl);
  const handle = await openAfter(sample, line.url, { max, patienceMs });
  const column = async (sql: string) => {
    const { rows } = await observer.query<{ readonly value: string }>(sql);
    return rows.map(({ value }) => value);
  };
  return {
    handle,
    observer,
    states: () =>
      column(`SELECT CASE wait_event_type WHEN 'Lock' THEN 'waits for a lock' ELSE state END AS value
        FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`),
    notes: () => column('SELECT text AS value FROM note ORDER BY text'),
    sent: line.sent,
    [Symbol.asyncDispose]: async () => {
      await handle.end();
      await line.close();
      await observer.end();
      await database.drop();
    },
  };
}

async function openAfter<S extends Openable>(
  sample: S,
  url: string,
  options: PoolOptions,
): Promise<HandleOf<S>> {
  const limit = { timeout: 60_000 };
  const handle = (await vi.waitFor(() => sample.open(url, options), limit)) as HandleOf<S>;
  await vi.waitFor(() => handle.write('before'), limit);
  return handle;
}

/** Another way to a server, which keeps what goes there. */
async function tap(serverUrl: string) {
  const url = new URL(serverUrl);
  const { hostname, port } = url;
  let sent = '';
  const relay = createRelay((client) => {
    const server = connect(Number(port), hostname);
    client.on('data', (bytes) => (sent += bytes.toString('latin1')));
    client.pipe(server).pipe(client);
    client.on('error', () => server.destroy());
    server.on('error', () => client.destroy());
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  url.port = String((relay.address() as AddressInfo).port);
  return {
    url: url.href,
    sent: () => sent,
    close: () => new Promise((resolve) => relay.close(resolve)),
  };
}

/** A web service that answers when the test does. */
export async function startSlowService() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async request(): Promise<ServerResponse> {
      const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
      return response;
    },
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}
