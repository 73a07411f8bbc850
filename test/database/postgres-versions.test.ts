import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startEmbeddedServer, type EmbeddedServer } from '../../scripts/embedded-server.ts';
import { findPrograms, majors } from '../../scripts/postgres-versions.mjs';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import { connectSession } from '../../src/database/connect.ts';
import { parseTarget } from '../../src/database/target.ts';
import type { RoleRights } from '../../src/database/probe-server.ts';
import { roleRightsSql } from '../../src/database/sql/probe-server.sql.ts';
import { anyRow } from '../support/any-row.ts';
import { lookOnce, sessionOf } from '../support/activity-watch.ts';
import { createApplicationClients } from '../support/application-clients.ts';

interface Installation {
  readonly major: number;
  /** Undefined for the one that npm brings. */
  readonly programs?: string;
}

/** The newest, and what is on this machine; `npm run test:postgres-versions` brings the rest. */
const installations: readonly Installation[] = [
  { major: 18 },
  ...majors.flatMap((major) => {
    const programs = findPrograms(major);
    return programs === undefined ? [] : [{ major, programs }];
  }),
];

/** As the server sees a session that is set to nothing. */
async function rightsOf(url: string): Promise<readonly RoleRights[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<RoleRights>(roleRightsSql);
  await client.end();
  return rows;
}

describe.each(installations)('PostgreSQL $major', ({ major, programs }) => {
  let server: EmbeddedServer;
  let admin: pg.Client;
  const clients = createApplicationClients(() => server.url());
  const as = (role: string) => server.url().replace(/\/\/[^@]+@/, `//${role}:secret@`);

  beforeAll(async () => {
    server = await startEmbeddedServer({
      ...(programs !== undefined && { programs }),
      ...(major >= 16 && { settings: { reserved_connections: '2' } }),
    });
    admin = new pg.Client({ connectionString: server.url(), application_name: 'admin' });
    await admin.connect();
    await admin.query(
      `CREATE ROLE app LOGIN PASSWORD 'secret' CONNECTION LIMIT 9; CREATE ROLE monitor LOGIN PASSWORD 'secret'; GRANT pg_monitor TO monitor; CREATE TABLE orders (id int)`,
    );
  });

  afterEach(() => clients.endAll());

  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  async function until(condition: string): Promise<void> {
    for (let turn = 0; turn < 500; turn++) {
      const { rowCount } = await admin.query(`SELECT FROM pg_stat_activity WHERE ${condition}`);
      if (rowCount !== 0) return;
      await admin.query('SELECT pg_sleep(0.01)');
    }
    throw new Error(`No session came to fulfil: ${condition}`);
  }

  /** One session of each state, and one that waits for another. */
  async function everyState(): Promise<void> {
    await (await clients.connect('idler')).query('SELECT 1');
    const holder = await clients.connect('holder');
    await holder.query('BEGIN; LOCK TABLE orders');
    const aborted = await clients.connect('aborted');
    await aborted.query('BEGIN');
    await aborted.query('SELECT 1/0').catch(() => undefined);
    void (await clients.connect('waiter')).query('SELECT FROM orders').catch(() => undefined);
    await until(`application_name = 'waiter' AND wait_event_type = 'Lock'`);
  }

  function expectEveryState(report: ActivityReport): void {
    expect(sessionOf(report, 'idler')).toMatchObject({
      state: 'idle',
      query: 'SELECT 1',
      transactionAgeMs: null,
      isWaiting: false,
    });
    expect(sessionOf(report, 'holder')).toMatchObject({
      state: 'idle in transaction',
      backendStart: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
    });
    expect(sessionOf(report, 'aborted')).toMatchObject({ state: 'idle in transaction (aborted)' });
    expect(sessionOf(report, 'waiter')).toMatchObject({
      state: 'active',
      isWaiting: true,
      blockedBy: [sessionOf(report, 'holder').pid],
    });
    expect(report.headroom.split).toMatchObject({
      idleInTransaction: 1,
      aborted: 1,
      waiting: 1,
      own: 1,
      hidden: 0,
    });
  }

  test.each(['postgres', 'app'])(
    'a session of %s begins with all guards, whatever the database has as its defaults',
    async (role) => {
      await admin.query(
        `ALTER DATABASE postgres SET search_path = public, pg_catalog; ALTER DATABASE postgres SET default_transaction_isolation = serializable; ALTER DATABASE postgres SET local_preload_libraries = nowhere`,
      );
      const target = parseTarget(role === 'app' ? as('app') : server.url());
      if (target.kind === 'problem') throw new Error(target.sentence);
      const answer = await connectSession(target.target, target.secret);
      await admin.query('ALTER DATABASE postgres RESET ALL');
      if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
      const settings = [
        'search_path',
        'default_transaction_isolation',
        'default_transaction_read_only',
        'jit',
      ];
      const read = await answer.session.query(
        `SELECT ${settings.map((setting) => `pg_catalog.current_setting('${setting}') AS "${setting}"`).join(', ')}`,
        anyRow,
      );
      await answer.session.close();
      expect(answer.session.startup).toBe(
        role === 'postgres' && major >= 17 ? 'without-triggers' : 'guarded',
      );
      expect(read).toEqual({
        kind: 'rows',
        rows: [
          {
            search_path: 'pg_catalog, pg_temp',
            default_transaction_isolation: 'read committed',
            default_transaction_read_only: 'on',
            jit: 'off',
          },
        ],
      });
    },
  );

  test('a superuser sees every state, and who waits for whom', async () => {
    await everyState();
    const report = await lookOnce(server.url());
    expectEveryState(report);
    expect(report.server).toMatchObject({
      versionNumber: expect.closeTo(major * 10_000, -3) as number,
      isSuperuser: true,
      signalsOthers: true,
      seesAllSessions: true,
      queryTextLimit: 1_024,
      tracksActivities: true,
    });
    expect(report.headroom).toMatchObject({
      maxConnections: 100,
      superuserReserved: 3,
      reserved: major >= 16 ? 2 : 0,
      used: 6,
    });
  });

  test('pg_monitor is enough for it', async () => {
    await everyState();
    const report = await lookOnce(as('monitor'));
    expectEveryState(report);
    expect(report.server).toMatchObject({
      isSuperuser: false,
      signalsOthers: false,
      seesAllSessions: true,
    });
  });

  test('the server says which roles may do what no read-only transaction stops', async () => {
    await admin.query(`CREATE ROLE middle; GRANT pg_execute_server_program, pg_write_server_files TO middle;
      CREATE ROLE runner LOGIN NOINHERIT PASSWORD 'secret'; GRANT middle TO runner; CREATE ROLE heir LOGIN NOINHERIT PASSWORD 'secret'; GRANT postgres TO heir`);
    const ordinary = { isLogin: true, isSuperuser: false, memberOf: [] };
    expect(await rightsOf(as('app'))).toEqual([{ ...ordinary, name: 'app' }]);
    expect(await rightsOf(as('monitor'))).toEqual([{ ...ordinary, name: 'monitor' }]);
    expect(await rightsOf(as('runner'))).toEqual([
      {
        ...ordinary,
        name: 'runner',
        memberOf: ['pg_execute_server_program', 'pg_write_server_files'],
      },
    ]);
    expect((await rightsOf(as('heir')))[0]?.memberOf).toContain('postgres');
    expect(await rightsOf(server.url())).toEqual([
      { ...ordinary, name: 'postgres', isSuperuser: true },
    ]);
    await admin.query('ALTER ROLE heir SET role = postgres');
    expect(await rightsOf(as('heir'))).toMatchObject([
      { name: 'heir', isLogin: true },
      { name: 'postgres', isLogin: false, isSuperuser: true },
    ]);
  });

  test('an ordinary role sees its own, and counts the hidden ones', async () => {
    await everyState();
    const report = await lookOnce(as('app'));
    expect(report.headroom).toMatchObject({
      used: 6,
      split: { hidden: 5, own: 1 },
      forRole: { free: 8, boundBy: 'role' },
    });
    expect(report.headroom.limits[0]).toEqual({
      scope: 'role',
      name: 'app',
      limit: 9,
      used: 1,
      free: 8,
      isOwn: true,
    });
  });

  test('the worker of a parallel query is no connection', async () => {
    const client = await clients.connect('parallel');
    await client.query(`SET ${major >= 16 ? 'debug_parallel_query' : 'force_parallel_mode'} = on`);
    const running = client.query('SELECT pg_sleep(30)').catch(() => undefined);
    await until(`backend_type = 'parallel worker'`);
    const report = await lookOnce(server.url());
    expect(report.headroom.used).toBe(3);
    expect(sessionOf(report, 'parallel').state).toBe('active');
    await admin.query(`SELECT pg_terminate_backend(${sessionOf(report, 'parallel').pid})`);
    await running;
  });
});
