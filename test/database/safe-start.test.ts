import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/database/session-limits.ts';
import {
  connectSession,
  connectSessions,
  type ConnectOptions,
} from '../../src/database/connect.ts';
import { openClient } from '../../src/database/open-client.ts';
import { createActivitySource, readActivity } from '../../src/database/read-activity.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { parseTarget } from '../../src/database/target.ts';
import { timeConnect } from '../../src/database/time-connect.ts';
import { createTally } from '../../src/database/transaction-tally.ts';
import { anyRow } from '../support/any-row.ts';
import { greetSession, startLyingServer } from '../support/lying-server.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { startRelay, type Relay } from '../support/relay.ts';

/** Marks whoever calls a trap with an advisory lock, which neither ROLLBACK nor a read-only session undoes. */
const trapKey = 4711;

const types = ['text', 'name', 'oid', 'int4', 'int8', 'bool', 'timestamptz', 'float8'];
const pairs = [
  ...types.map((type) => [type, type]),
  ['name', 'text'],
  ['text', 'name'],
  ['varchar', 'varchar'],
];

/** Operators and functions that take the place of the system's own for whoever has `evil` in front. */
const traps = `
  CREATE SCHEMA evil;
  CREATE FUNCTION evil.spring() RETURNS void LANGUAGE sql AS 'SELECT pg_catalog.pg_advisory_lock(${trapKey})';
  ${pairs
    .map(
      ([left, right]) => `
    CREATE FUNCTION evil.compare(pg_catalog.${left}, pg_catalog.${right}) RETURNS bool LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN true; END';
    ${['=', '<>', '<', '>', '~~'].map((operator) => `CREATE OPERATOR evil.${operator} (LEFTARG = pg_catalog.${left}, RIGHTARG = pg_catalog.${right}, FUNCTION = evil.compare);`).join('\n')}`,
    )
    .join('\n')}
  ${[
    'set_config(text, text, bool)',
    'current_setting(text)',
    'current_setting(text, bool)',
    'version()',
    'lower(text)',
    'current_database()',
  ]
    .map(
      (signature) => `
    CREATE FUNCTION evil.${signature} RETURNS text LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN ''''; END';`,
    )
    .join('\n')}
  CREATE FUNCTION evil.pg_backend_pid() RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM evil.spring(); RETURN 1; END'`;

let database: OwnedDatabase;
let name: string;
let admin: pg.Client;
const sessions: DatabaseSession[] = [];

beforeAll(async () => {
  database = await createOwnedDatabase({ tables: `${traps}; CREATE TABLE noted (what text)` });
  name = new URL(database.url).username;
  admin = new pg.Client({ connectionString: urlOf('superuser') });
  await admin.connect();
});

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  await admin.query(
    `ALTER DATABASE ${name} RESET ALL; ALTER ROLE ${name} RESET ALL; DROP EVENT TRIGGER IF EXISTS at_login`,
  );
});

afterAll(async () => {
  await admin.end();
  await database[Symbol.asyncDispose]();
});

/** Of the database that its owner, an ordinary role, prepared. */
function urlOf(role: 'owner' | 'superuser'): string {
  const url = new URL(role === 'owner' ? database.url : postgresUrl());
  url.pathname = `/${name}`;
  return url.href;
}

function parsed(url: string) {
  const answer = parseTarget(url);
  if (answer.kind === 'problem') throw new Error(answer.sentence);
  return answer;
}

async function connect(url: string, options: ConnectOptions = {}): Promise<DatabaseSession> {
  const { target, secret } = parsed(url);
  const answer = await connectSession(target, secret, options);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  sessions.push(answer.session);
  return answer.session;
}

async function ask<Row>(session: DatabaseSession, text: string): Promise<Row> {
  const answer = await session.query<Row>(text, anyRow);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  const [row] = answer.rows;
  if (row === undefined) throw new Error('No row.');
  return row;
}

/** How many backends of the database called a trap. */
async function sprung(): Promise<number> {
  const { rows: found } = await admin.query(
    `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${trapKey} AND database = (SELECT oid FROM pg_database WHERE datname = '${name}')`,
  );
  return found.length;
}

async function setForDatabase(...settings: readonly string[]): Promise<void> {
  for (const setting of settings) await admin.query(`ALTER DATABASE ${name} SET ${setting}`);
}

const evilPath = 'search_path = evil, pg_catalog, public';
const roles = ['owner', 'superuser'] as const;

describe('operators and functions that the owner planted in the search path', () => {
  test('catch a client that trusts the path', async () => {
    await setForDatabase(evilPath);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`SELECT FROM pg_class WHERE relname = 'pg_class'::text`);
    expect(await sprung()).toBe(1);
    await client.end();
  });

  test.each(roles)('do not catch a session of the %s, nor its look', async (role) => {
    await setForDatabase(evilPath);
    const session = await connect(urlOf(role));
    expect(await readActivity(session)).toMatchObject({ kind: 'report' });
    expect(await sprung()).toBe(0);
  });

  test.each(roles)(
    'do not catch a session for a workload of the %s while it connects',
    async (role) => {
      await setForDatabase(evilPath);
      const session = await connect(urlOf(role), { runs: 'workload' });
      expect(await sprung()).toBe(0);
      expect(
        await ask(session, `SELECT pg_catalog.current_setting('search_path') AS path`),
      ).toEqual({
        path: 'evil, pg_catalog, public',
      });
    },
  );

  test('do not catch a session that could set nothing before its first statement', async () => {
    await setForDatabase(evilPath);
    const session = await connect(database.url, { startup: 'bare' });
    expect(await readActivity(session)).toMatchObject({ kind: 'report' });
    expect(await sprung()).toBe(0);
  });
});

const settingNames = [
  'search_path',
  'default_transaction_read_only',
  'default_transaction_isolation',
  'default_transaction_deferrable',
  'standard_conforming_strings',
  'client_min_messages',
  'row_security',
  'DateStyle',
  'bytea_output',
];
const readSettings = `SELECT ${settingNames.map((setting) => `pg_catalog.current_setting('${setting}') AS "${setting}"`).join(', ')}, current_user::text AS "user"`;

const hostileSettings = [
  'search_path = evil, pg_catalog',
  'default_transaction_read_only = off',
  'default_transaction_isolation = serializable',
  'default_transaction_deferrable = on',
  'standard_conforming_strings = off',
  'client_min_messages = debug5',
  'row_security = on',
  `DateStyle = 'German, DMY'`,
  'bytea_output = escape',
];

const pinned = {
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  standard_conforming_strings: 'on',
  client_min_messages: 'warning',
};
const own = {
  ...pinned,
  search_path: 'pg_catalog, pg_temp',
  row_security: 'off',
  DateStyle: expect.stringMatching(/^ISO/) as string,
  bytea_output: 'hex',
};
const workload = {
  ...pinned,
  search_path: 'evil, pg_catalog',
  row_security: 'on',
  DateStyle: 'German, DMY',
  bytea_output: 'escape',
};

describe('settings that the owner made the default', () => {
  test.each([
    ['without-triggers', 'own', own],
    ['bare', 'own', own],
    ['without-triggers', 'workload', workload],
    ['bare', 'workload', workload],
  ] as const)(
    'give way to those of Poolguard: startup %s, runs %s',
    async (startup, runs, expected) => {
      await setForDatabase(...hostileSettings);
      for (const role of roles)
        expect(
          await ask(await connect(urlOf(role), { startup, runs }), readSettings),
        ).toMatchObject(expected);
    },
  );

  test('give way when they are those of the role', async () => {
    for (const setting of hostileSettings)
      await admin.query(`ALTER ROLE ${name} IN DATABASE ${name} SET ${setting}`);
    expect(await ask(await connect(database.url), readSettings)).toMatchObject(own);
    await admin.query(`ALTER ROLE ${name} IN DATABASE ${name} RESET ALL`);
  });

  test.each(['guarded', 'bare'] as const)(
    'do not make a superuser act as another role: startup %s',
    async (startup) => {
      await setForDatabase(`role = ${name}`);
      expect(await ask(await connect(urlOf('superuser'), { startup }), readSettings)).toMatchObject(
        {
          user: 'postgres',
        },
      );
    },
  );

  test('load no library, and a missing one keeps nobody out', async () => {
    await setForDatabase('local_preload_libraries = nowhere');
    const client = new pg.Client({ connectionString: database.url });
    await expect(client.connect()).rejects.toThrow(/nowhere/);
    expect(await ask(await connect(database.url), 'SELECT 1 AS one')).toEqual({ one: 1 });
  });

  test('that only newer versions know are set where they exist', async () => {
    const read = `SELECT pg_catalog.current_setting('idle_session_timeout') AS idle, pg_catalog.current_setting('transaction_timeout') AS transaction,
                         pg_catalog.current_setting('restrict_nonsystem_relation_kind') AS restricted, pg_catalog.current_setting('client_connection_check_interval') AS watched`;
    const limits = { idleSessionTimeoutMs: 60_000 };
    expect(await ask(await connect(database.url, limits), read)).toEqual({
      idle: '1min',
      transaction: '7s',
      restricted: 'view,foreign-table',
      watched: '0',
    });
    expect(await ask(await connect(database.url, { ...limits, runs: 'workload' }), read)).toEqual({
      idle: '1min',
      transaction: '7s',
      restricted: '',
      watched: '1s',
    });
  });

  test('RESET ALL and DISCARD ALL come back to the guards', async () => {
    await setForDatabase(...hostileSettings);
    const session = await connect(database.url);
    await session.query('DISCARD ALL', anyRow);
    expect(await ask(session, readSettings)).toMatchObject(own);
  });
});

async function triggerAtLogin(body: string): Promise<void> {
  await admin.query(
    `CREATE OR REPLACE FUNCTION public.at_login() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN ${body} END $$`,
  );
  await admin.query('CREATE EVENT TRIGGER at_login ON login EXECUTE FUNCTION public.at_login()');
  await admin.query('ALTER EVENT TRIGGER at_login ENABLE ALWAYS');
}

describe('a trigger that runs at each login', () => {
  const spring = `PERFORM pg_catalog.pg_advisory_lock(${trapKey});`;

  test('does not run for a superuser', async () => {
    await triggerAtLogin(spring);
    const session = await connect(urlOf('superuser'));
    expect(session.startup).toBe('without-triggers');
    expect(await sprung()).toBe(0);
  });

  test('runs for an ordinary role, which cannot turn it off', async () => {
    await triggerAtLogin(spring);
    const session = await connect(database.url);
    expect(session.startup).toBe('guarded');
    expect(await sprung()).toBe(1);
  });

  test('that changes settings of the session has no effect', async () => {
    await triggerAtLogin(`
      PERFORM pg_catalog.set_config('default_transaction_read_only', 'off', false), pg_catalog.set_config('search_path', 'evil, pg_catalog', false),
              pg_catalog.set_config('standard_conforming_strings', 'off', false), pg_catalog.set_config('statement_timeout', '0', false);`);
    const session = await connect(database.url);
    expect(await ask(session, readSettings)).toMatchObject(own);
    expect(
      await ask(session, `SELECT pg_catalog.current_setting('statement_timeout') AS timeout`),
    ).toEqual({
      timeout: '2s',
    });
    expect(await session.query('INSERT INTO public.noted VALUES (1)', anyRow)).toMatchObject({
      kind: 'failed',
      failure: { code: '25006' },
    });
  });

  test('that writes keeps a read-only session out, which is told why', async () => {
    await triggerAtLogin(`INSERT INTO public.noted VALUES ('login');`);
    const { target, secret } = parsed(database.url);
    const answer = await connectSession(target, secret);
    expect(answer).toMatchObject({
      kind: 'failed',
      failure: {
        kind: 'permission',
        code: '25006',
        sentence: expect.stringMatching(
          /^A login trigger of database "test_\w+" at \S+ writes, which fails in a read-only session \(.*INSERT.*\)\. Connect to another database/,
        ) as string,
      },
    });
    expect((await admin.query('SELECT FROM noted')).rowCount).toBe(0);
  });
});

test('a session whose settings did not take is closed, and the sentence names them', async () => {
  const liar = await startLyingServer({
    answer: (text) =>
      greetSession(text, {
        search_path: 'evil, pg_catalog',
        default_transaction_read_only: 'off',
        acts_as: 'postgres',
      }),
  });
  const { target, secret } = parsed(`postgres://ada@127.0.0.1:${liar.port}/shop`);
  expect(await connectSession(target, secret)).toMatchObject({
    kind: 'failed',
    failure: {
      kind: 'permission',
      sentence: expect.stringContaining(
        '(search_path, default_transaction_read_only, role), so the session was closed',
      ) as string,
    },
  });
  await liar.stop();
});

describe('how often the server is asked to log in', () => {
  let relay: Relay;

  beforeAll(async () => {
    relay = await startRelay(Number(new URL(database.url).port));
  });

  afterAll(() => relay.stop());

  function through(role: (typeof roles)[number]): string {
    const url = new URL(urlOf(role));
    url.port = String(relay.port);
    return url.href;
  }

  async function counted(work: () => Promise<unknown>): Promise<number> {
    const before = relay.taken;
    await work();
    return relay.taken - before;
  }

  test('twice as an ordinary role, once when it is known how, once as a superuser', async () => {
    expect(await counted(() => connect(through('owner')))).toBe(2);
    expect(await counted(() => connect(through('owner'), { startup: 'guarded' }))).toBe(1);
    expect(await counted(() => connect(through('superuser')))).toBe(1);
  });

  test('several sessions learn from the first', async () => {
    const { target, secret } = parsed(through('owner'));
    const made = await counted(async () => {
      const answer = await connectSessions(3, target, secret);
      if (answer.kind === 'connected') sessions.push(...answer.sessions);
    });
    expect(made).toBe(4);
  });

  test('a reader that connects again begins as it did before', async () => {
    const { target, secret } = parsed(through('owner'));
    const source = createActivitySource(target, secret);
    const read = async () => {
      const opened = await source.open(new AbortController().signal);
      if (opened.kind === 'opened') await opened.reader.close();
    };
    expect(await counted(read)).toBe(2);
    expect(await counted(read)).toBe(1);
  });

  test('a timed connection tells how it began, and the next one begins there', async () => {
    const { target, secret } = parsed(through('owner'));
    const options = {
      applicationName: 'poolguard',
      now: () => performance.now(),
      signal: new AbortController().signal,
    };
    const first = await timeConnect(target, secret, options);
    expect(first).toMatchObject({ kind: 'timed', startup: 'guarded' });
    expect(
      await counted(() => timeConnect(target, secret, { ...options, startup: 'guarded' })),
    ).toBe(1);
  });

  test('a role with one connection logs in all the same', async () => {
    await expect
      .poll(
        async () =>
          (await admin.query('SELECT FROM pg_stat_activity WHERE usename = $1', [name])).rowCount,
      )
      .toBe(0);
    await admin.query(`ALTER ROLE ${name} CONNECTION LIMIT 1`);
    expect((await connect(through('owner'))).startup).toBe('guarded');
    await admin.query(`ALTER ROLE ${name} CONNECTION LIMIT -1`);
  });

  test('a brief client is guarded by its startup message, or before its first statement', async () => {
    const { target, secret } = parsed(through('owner'));
    for (const startup of ['guarded', 'bare'] as const) {
      const opened = await openClient(target, secret, {
        ...defaultLimits,
        startup,
        pipeline: false,
        isBrief: true,
        isPooled: false,
        patienceMs: 5_000,
        tally: createTally(),
      });
      const { rows } = await opened.undoing.run({
        text: `SELECT pg_catalog.current_setting('default_transaction_read_only') AS "readOnly"`,
      });
      expect(rows).toEqual([{ readOnly: 'on' }]);
      await opened.close();
    }
  });
});

describe.each(['transaction', 'session', 'statement'])('behind PgBouncer in %s mode', (mode) => {
  describe.each([
    ['which refuses the startup parameter', {}, 'bare'],
    [
      'which drops the startup parameter',
      { ignore_startup_parameters: 'options' },
      'without-triggers',
    ],
  ])('%s', (_name, settings, startup) => {
    let pooler: PgBouncer;

    beforeAll(async () => {
      await setForDatabase(evilPath);
      pooler = await startPgBouncer(database.url, 1, {
        settings: { pool_mode: mode, server_reset_query: 'SELECT 1', ...settings },
      });
    });

    afterAll(() => pooler[Symbol.asyncDispose]());

    test('a session looks, calls nothing that was planted, and leaves nothing on the backend', async () => {
      const session = await connect(pooler.url);
      expect(session).toMatchObject({ isPooled: true, startup });
      expect(await readActivity(session)).toMatchObject({
        kind: 'report',
        report: { server: { isPooled: true } },
      });
      expect(await session.query('INSERT INTO public.noted VALUES (1)', anyRow)).toMatchObject({
        kind: 'failed',
        failure: { code: '25006' },
      });
      expect(
        await ask(
          session,
          `SELECT pg_catalog.current_setting('search_path') AS path, pg_catalog.current_setting('statement_timeout') AS timeout`,
        ),
      ).toEqual({ path: 'pg_catalog, pg_temp', timeout: '2s' });
      await session.close();
      const application = new pg.Client({ connectionString: pooler.url });
      await application.connect();
      const { rows: found } = await application.query(
        `SELECT pg_catalog.current_setting('search_path') AS path, pg_catalog.current_setting('default_transaction_read_only') AS "readOnly"`,
      );
      await application.end();
      expect(found).toEqual([{ path: 'evil, pg_catalog, public', readOnly: 'off' }]);
      expect(await sprung()).toBe(0);
    });
  });
});
