import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import type { ChaosServer } from './chaos-server.ts';
import { markedProcesses, type MarkedProcess } from './marked-processes.ts';

/** What a subject's connections lead to, the relay in front. */
export type Way = 'server' | 'pooler';

/** One trial's own database, line, pooler and folder on a server that others use too. */
export interface Arena extends AsyncDisposable {
  readonly server: ChaosServer;
  readonly relay: Relay;
  readonly database: string;
  /** The connection string of the subject, through the relay. */
  readonly url: string;
  /** A free folder; below it `tmp`, which is the subject's TMPDIR. */
  readonly folder: string;
  readonly mark: string;
  /** Ends the pooler and starts another one in its place. */
  restartPooler(awayMs: number): Promise<void>;
  /** A statement of the pooler's console, as its administrator. */
  tellPooler(command: 'PAUSE' | 'RESUME'): Promise<void>;
  /** Who is still connected to the database, as the server sees it. What a pooler keeps idle belongs to the pooler. */
  sessions(): Promise<readonly string[]>;
  processes(): readonly MarkedProcess[];
  /** Paths below the folder, the report and its like excepted. */
  leftFiles(): Promise<readonly string[]>;
}

const password = 'of-a-chaos-test';

export async function openArena(server: ChaosServer, way: Way): Promise<Arena> {
  const mark = randomBytes(6).toString('hex');
  const database = `trial_${mark}`;
  await server.ask(`CREATE ROLE ${database} LOGIN PASSWORD '${password}'`);
  await server.ask(`CREATE DATABASE ${database} OWNER ${database}`);
  const direct = new URL(server.url(database));
  Object.assign(direct, { username: database, password });
  let pooler = way === 'pooler' ? await openPooler(direct.href) : null;
  const relay = await startRelay(Number(new URL(pooler?.url ?? direct.href).port));
  const folder = await createTemporaryFolder({ 'tmp/.keep': '' });
  const url = new URL(direct);
  url.port = String(relay.port);
  const consoleUrl = () =>
    Object.assign(new URL(pooler?.url ?? url), { pathname: '/pgbouncer' }).href;
  return {
    server,
    relay,
    database,
    mark,
    url: url.href,
    folder: folder.path,
    restartPooler: async (awayMs) => {
      const port = Number(new URL(pooler?.url ?? url).port);
      await pooler?.[Symbol.asyncDispose]();
      await wait(awayMs);
      pooler = await openPooler(direct.href, port);
    },
    tellPooler: (command) => sendToConsole(consoleUrl(), command),
    sessions: async () => {
      const rows = await server.ask(
        `SELECT format('%s %s: %s', application_name, state, left(query, 60)) AS text FROM pg_stat_activity
          WHERE datname = $1 AND backend_type = 'client backend' AND (state <> 'idle' OR NOT $2)`,
        [database, way === 'pooler'],
      );
      return rows.map(({ text }) => String(text));
    },
    processes: () => markedProcesses(mark),
    leftFiles: async () => {
      const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory() || entry.parentPath.endsWith('/tmp'))
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.path.length + 1))
        .filter((path) => path !== 'tmp/.keep');
    },
    [Symbol.asyncDispose]: async () => {
      for (const { pid } of markedProcesses(mark)) process.kill(pid, 'SIGKILL');
      await relay.stop();
      await pooler?.[Symbol.asyncDispose]();
      await server.ask(`DROP DATABASE ${database} WITH (FORCE)`);
      await server.ask(`DROP ROLE ${database}`);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Two backends, so that a probe has to wait for one, and an administrator who may pause it. */
function openPooler(url: string, port?: number): Promise<PgBouncer> {
  return startPgBouncer(url, 2, {
    ...(port !== undefined && { port }),
    settings: { admin_users: new URL(url).username },
  });
}

async function sendToConsole(url: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(command);
  await client.end();
}
