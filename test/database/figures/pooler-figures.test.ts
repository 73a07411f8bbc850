import type { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPgBouncers } from '../../../scripts/pgbouncer-versions.mjs';
import { systemClock } from '../../../src/activity/clock.ts';
import type { ActivityReader } from '../../../src/activity/poller.ts';
import { consoleOf, createPoolerSource } from '../../../src/database/pooler-console.ts';
import { parseTarget } from '../../../src/database/target.ts';
import type { PoolerReport } from '../../../src/pooler/pooler-report.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../../support/owned-database.ts';
import { expectFigures } from '../../support/figures.ts';
import { startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts';
import { type Loop, poolerFigures, type PoolerWorld } from './pooler-figures.ts';

const settings = {
  max_client_conn: 70,
  min_pool_size: 0,
  reserve_pool_size: 0,
  max_db_connections: 40,
  max_user_connections: 30,
  query_wait_timeout: 90,
};
const poolSize = 5;
/** Says what it took on the server. */
const statement = `SELECT pg_sleep(0.02), 1000 * date_part('epoch', clock_timestamp() - statement_timestamp()) AS ms`;

let database: OwnedDatabase;

beforeAll(async () => {
  database = await createOwnedDatabase();
});

afterAll(() => database[Symbol.asyncDispose]());

/** That of the system, and those that `npm run test:pgbouncer-versions` has brought. */
const programs = [{ release: 'the system', program: undefined }, ...findPgBouncers()];

interface Bytes {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

describe.each(programs)('PgBouncer of $release', ({ program }) => {
  let pooler: PgBouncer;
  let reader: ActivityReader<PoolerReport>;
  let admin: pg.Client;
  const clients: pg.Client[] = [];
  const times: { readonly statementMs: number; readonly serverMs: number }[] = [];
  let atStart: Bytes = { bytesRead: 0, bytesWritten: 0 };

  beforeAll(async () => {
    pooler = await startPgBouncer(database.url, poolSize, {
      settings: { ...settings, stats_users: 'watcher' },
      ...(program !== undefined && { program }),
    });
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    const parsed = parseTarget(pooler.url);
    if (parsed.kind === 'problem') throw new Error(parsed.sentence);
    const opened = await createPoolerSource(consoleOf(parsed.target, 'watcher'), null, {
      wantsSockets: () => true,
      now: () => new Date(),
      elapsed: () => systemClock.now(),
    }).open(new AbortController().signal);
    if (opened.kind === 'failed') throw new Error(opened.failure.sentence);
    reader = opened.reader;
    for (let index = 0; index < 12; index++) clients.push(await connect());
    atStart = bytes();
  });

  afterAll(async () => {
    for (const client of clients) client.connection.stream.destroy();
    await reader.close();
    await admin.end();
    await pooler[Symbol.asyncDispose]();
  });

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: pooler.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async function look(): Promise<PoolerReport> {
    const answer = await reader.read();
    if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
    return answer.report;
  }

  function sockets(): readonly Socket[] {
    return clients.map(({ connection }) => connection.stream as Socket);
  }

  function bytes(): Bytes {
    const sum = (of: 'bytesRead' | 'bytesWritten') =>
      sockets().reduce((total, socket) => total + socket[of], 0);
    return { bytesRead: sum('bytesRead'), bytesWritten: sum('bytesWritten') };
  }

  /** What the loop has done so far. */
  function soFar(): Omit<Loop, 'overMs'> {
    const sum = (of: (time: (typeof times)[number]) => number) =>
      times.reduce((total, time) => total + of(time), 0);
    const { bytesRead, bytesWritten } = bytes();
    return {
      statements: times.length,
      statementMs: sum(({ statementMs }) => statementMs),
      waitMs: sum(({ statementMs, serverMs }) => statementMs - serverMs),
      bytesSent: bytesWritten - atStart.bytesWritten,
      bytesReceived: bytesRead - atStart.bytesRead,
    };
  }

  async function worldOf(change: Partial<PoolerWorld>): Promise<PoolerWorld> {
    const { rows } = await admin.query<{ pid: number; state: string }>(
      `SELECT pid, state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    const console = await askConsole();
    const none = {
      overMs: 0,
      statements: 0,
      statementMs: 0,
      waitMs: 0,
      bytesSent: 0,
      bytesReceived: 0,
    };
    return {
      settings: {
        ...settings,
        default_pool_size: poolSize,
        server_port: Number(new URL(database.url).port),
        ...(console.prepared !== undefined && { max_prepared_statements: console.prepared }),
      },
      minor: console.minor,
      port: Number(new URL(pooler.url).port),
      idle: clients.length,
      inTransaction: 0,
      waiting: 0,
      waitedMs: 0,
      waitsMs: [],
      sessions: {
        busy: rows.filter(({ state }) => state !== 'idle').length,
        idle: rows.filter(({ state }) => state === 'idle').length,
      },
      backends: rows.map(({ pid }) => pid),
      clientPorts: sockets().map(({ localPort }) => localPort ?? 0),
      consoles: 1,
      loop: none,
      total: none,
      ...change,
    };
  }

  /** What is not told by its file, by a client of the test's own. */
  async function askConsole(): Promise<{ minor: number; prepared: number | undefined }> {
    const url = new URL(pooler.url);
    Object.assign(url, { pathname: '/pgbouncer', username: 'watcher', password: '' });
    const own = new pg.Client({ connectionString: url.href });
    await own.connect();
    const [version] = (await own.query<{ version: string }>('SHOW VERSION')).rows;
    const { rows } = await own.query<{ key: string; value: string }>('SHOW CONFIG');
    await own.end();
    const prepared = rows.find(({ key }) => key === 'max_prepared_statements');
    return {
      minor: Number(/ 1\.(\d+)/.exec(version?.version ?? '')?.[1]),
      prepared: prepared === undefined ? undefined : Number(prepared.value),
    };
  }

  const isOfCourse = (figure: string) => figure.startsWith('stats[]');

  test('twelve clients on five servers: rates and times are those of a loop', async () => {
    let isOver = false;
    const work = clients.map(async (client) => {
      while (!isOver) {
        const started = performance.now();
        const { rows } = await client.query<{ ms: number }>(statement);
        times.push({ statementMs: performance.now() - started, serverMs: rows[0]?.ms ?? NaN });
      }
    });
    await expect.poll(() => times.length).toBeGreaterThan(50);
    await look();
    const before = soFar();
    const started = performance.now();
    await systemClock.sleep(2_000, new AbortController().signal);
    const report = await look();
    const after = soFar();
    const overMs = performance.now() - started;
    isOver = true;
    await Promise.all(work);
    const [stats] = report.stats;
    expect(stats?.averageWaitMs).toBeLessThan(stats?.averageTransactionMs ?? 0);
    const loop = {
      overMs,
      statements: after.statements - before.statements,
      statementMs: after.statementMs - before.statementMs,
      waitMs: after.waitMs - before.waitMs,
      bytesSent: after.bytesSent - before.bytesSent,
      bytesReceived: after.bytesReceived - before.bytesReceived,
    };
    const world = await worldOf({ loop, total: { overMs, ...after } });
    expectFigures(report, poolerFigures, world, isOfCourse);
  });

  test('at rest: everybody is idle, and so are the servers', async () => {
    const report = await look();
    expectFigures(report, poolerFigures, await worldOf({}), (figure) => !isOfCourse(figure));
  });

  test('saturated: five in a transaction, seven in line', async () => {
    const begun: number[] = [];
    await Promise.all(clients.slice(0, poolSize).map((client) => client.query('BEGIN')));
    const asked = clients.slice(poolSize).map((client) => {
      begun.push(performance.now());
      return client.query('BEGIN').catch(() => undefined);
    });
    await systemClock.sleep(1_200, new AbortController().signal);
    const report = await look();
    const now = performance.now();
    const world = await worldOf({
      idle: 0,
      inTransaction: poolSize,
      waiting: asked.length,
      waitedMs: now - Math.min(...begun),
      waitsMs: begun.map((each) => now - each),
    });
    expectFigures(report, poolerFigures, world, (figure) => !isOfCourse(figure));
    for (const client of clients) client.connection.stream.destroy();
    await Promise.all(asked);
  });
});
