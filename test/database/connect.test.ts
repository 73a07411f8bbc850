import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/embedded-server.ts';
import { connectSession, connectSessions } from '../../src/database/connect.ts';
import type { DatabaseFailure } from '../../src/database/failure-row.ts';
import { parseTarget } from '../../src/database/target.ts';
import { anyRow } from '../support/any-row.ts';
import { asSuperuser, createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { strangeServers, type StrangeServer } from '../support/strange-servers.ts';
import { startRelay } from '../support/relay.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';

const password = 'Tr0ub4dor&3 /?#@%';
let database: FreshDatabase;
let watch: DatabaseWatch;
let server: StrangeServer | undefined;

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  await asSuperuser(
    `CREATE ROLE ${database.name}_app LOGIN PASSWORD '${password}' CONNECTION LIMIT 2`,
  );
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

afterAll(async () => {
  await watch.close();
  await database.drop();
  await asSuperuser(`DROP ROLE ${database.name}_app`);
});

interface Change {
  readonly user?: string;
  readonly password?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly query?: string;
}

function appUrl(change: Change = {}): string {
  const url = new URL(database.url);
  url.username = change.user ?? `${database.name}_app`;
  url.password = encodeURIComponent(change.password ?? password);
  url.hostname = change.host ?? url.hostname;
  url.port = String(change.port ?? url.port);
  url.pathname = `/${change.database ?? database.name}`;
  url.search = change.query ?? '';
  return url.href;
}

function connect(change: Change = {}, options: Parameters<typeof connectSession>[2] = {}) {
  const parsed = parseTarget(appUrl(change));
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return connectSession(parsed.target, parsed.secret, options);
}

async function failureOf(answer: ReturnType<typeof connect>): Promise<DatabaseFailure> {
  const settled = await answer;
  if (settled.kind === 'connected') {
    await settled.session.close();
    throw new Error('A connection that had to fail was made.');
  }
  expect(settled.failure.sentence).not.toContain(password);
  expect(settled.failure.sentence).not.toContain(encodeURIComponent(password));
  expect(settled.failure.sentence).toMatch(/^[A-Z0-9].*\.$/);
  return settled.failure;
}

async function open(change: Change = {}, options: Parameters<typeof connectSession>[2] = {}) {
  const answer = await connect(change, options);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  return answer.session;
}

describe('a good connection', () => {
  test('is named, read-only and limited in time, and is gone after close()', async () => {
    const session = await open();
    const answer = await session.query<Record<string, string>>(
      `SELECT current_setting('application_name') AS application, current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('default_transaction_read_only') AS readonly`,
      anyRow,
    );
    expect(answer).toEqual({
      kind: 'rows',
      rows: [
        { application: 'poolguard', statement: '2s', lock: '500ms', idle: '5s', readonly: 'on' },
      ],
    });
    expect(session.isPooled).toBe(false);
    await session.close();
    expect(await watch.sessions()).toEqual([]);
  });

  test('refuses to write', async () => {
    const session = await open();
    const answer = await session.query('CREATE TABLE written (id int)', anyRow);
    await session.close();
    expect(answer).toMatchObject({ kind: 'failed', failure: { code: '25006' } });
  });

  test('survives a statement that takes too long', async () => {
    const session = await open({}, { statementTimeoutMs: 500 });
    const slow = await session.query('SELECT pg_sleep(600)', anyRow);
    const next = await session.query('SELECT 1 AS one', anyRow);
    await session.close();
    expect(slow).toMatchObject({ kind: 'failed', failure: { kind: 'timeout' } });
    expect(next).toEqual({ kind: 'rows', rows: [{ one: 1 }] });
  });

  test('passes values apart from the text', async () => {
    const session = await open();
    const answer = await session.query(
      {
        text: 'SELECT $1::text AS text',
        values: ["'; DROP TABLE users; --"],
        name: 'echo',
      },
      anyRow,
    );
    await session.close();
    expect(answer).toEqual({ kind: 'rows', rows: [{ text: "'; DROP TABLE users; --" }] });
  });

  test('answers "cancelled" after close()', async () => {
    const session = await open();
    await session.close();
    expect(await session.query('SELECT 1', anyRow)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'cancelled' },
    });
  });
});

describe('a connection that cannot be made', () => {
  test('unreachable: nothing listens', async () => {
    const port = await findFreePort();
    const failure = await failureOf(connect({ port }));
    expect(failure).toEqual({
      kind: 'unreachable',
      code: 'ECONNREFUSED',
      sentence: `Connection refused: nothing listens on 127.0.0.1:${port}. Start the server, or check the host and port.`,
    });
  });

  test('unreachable: no such host', async () => {
    expect(await failureOf(connect({ host: 'no-such-host.invalid' }))).toMatchObject({
      kind: 'unreachable',
      sentence:
        'The host name no-such-host.invalid cannot be resolved. Check its spelling and the network.',
    });
  });

  test('wrong password', async () => {
    const failure = await failureOf(connect({ password: 'another-secret' }));
    expect(failure).toMatchObject({ kind: 'wrong-password', code: '28P01' });
    expect(failure.sentence).toContain(
      `Password authentication failed for user "${database.name}_app"`,
    );
    expect(failure.sentence).not.toContain('another-secret');
  });

  test('no password, although the server asks for one', async () => {
    expect(await failureOf(connect({ password: '' }))).toMatchObject({
      kind: 'wrong-password',
      sentence: expect.stringContaining('but none is set') as string,
    });
  });

  test('no such database', async () => {
    expect(await failureOf(connect({ database: 'nowhere' }))).toMatchObject({
      kind: 'no-such-database',
      sentence: expect.stringContaining('has no database "nowhere"') as string,
    });
  });

  test('too many connections for the role', async () => {
    const sessions = [await open(), await open()];
    const failure = await failureOf(connect());
    await Promise.all(sessions.map((session) => session.close()));
    expect(failure).toMatchObject({ kind: 'too-many', code: '53300' });
  });

  test.each(['require', 'verify-full', 'no-verify'])(
    'a server without TLS and sslmode=%s',
    async (mode) => {
      expect(await failureOf(connect({ query: `?sslmode=${mode}` }))).toMatchObject({
        kind: 'tls-refused',
        sentence: expect.stringMatching(
          /does not support TLS, but the connection string requires it\..*sslmode=disable/,
        ) as string,
      });
    },
  );

  test('a certificate file that does not exist', async () => {
    expect(
      await failureOf(connect({ query: '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem' })),
    ).toMatchObject({
      kind: 'tls-refused',
      sentence: expect.stringContaining('/nowhere/ca.pem') as string,
    });
  });

  test.each(Object.keys(strangeServers) as (keyof typeof strangeServers)[])(
    'a port that is not PostgreSQL: %s',
    async (name) => {
      server = await strangeServers[name]();
      expect(
        await failureOf(connect({ port: server.port }, { connectTimeoutMs: 300 })),
      ).toMatchObject({ kind: 'not-postgres' });
    },
  );

  test.each(['http', 'silent', 'closing', 'greeting', 'garbage'] as const)(
    'a port that is not PostgreSQL, asked for TLS: %s',
    async (name) => {
      server = await strangeServers[name]();
      expect(
        await failureOf(
          connect({ port: server.port, query: '?sslmode=require' }, { connectTimeoutMs: 300 }),
        ),
      ).toMatchObject({ kind: 'not-postgres' });
    },
  );

  test('an HTTP server is named long before the time limit', async () => {
    server = await strangeServers.http();
    const failure = await failureOf(connect({ port: server.port }, { connectTimeoutMs: 25_000 }));
    expect(failure.sentence).toBe(
      `127.0.0.1:${server.port} is not a PostgreSQL server: another program listens on that port. Check the host and port.`,
    );
  });

  test('cancelled before and while connecting', async () => {
    server = await strangeServers.silent();
    expect(await failureOf(connect({}, { signal: AbortSignal.abort() }))).toMatchObject({
      kind: 'cancelled',
    });
    const controller = new AbortController();
    const failure = failureOf(connect({ port: server.port }, { signal: controller.signal }));
    controller.abort();
    expect(await failure).toMatchObject({ kind: 'cancelled' });
  });

  test('several at once: none stays when one fails', async () => {
    const parsed = parseTarget(appUrl());
    if (parsed.kind === 'problem') throw new Error(parsed.sentence);
    expect(await connectSessions(3, parsed.target, parsed.secret)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'too-many' },
    });
    expect(await watch.sessions()).toEqual([]);
  });
});

describe('a connection that ends', () => {
  test('by the server: the session says so once, and the running statement fails with it', async () => {
    const session = await open({}, { statementTimeoutMs: 80_000 });
    const lost = new Promise<DatabaseFailure>((resolve) => session.onLost(resolve));
    const running = session.query('SELECT pg_sleep(600)', anyRow);
    await asSuperuser(`SELECT pg_terminate_backend(${session.pid})`);
    expect(await running).toMatchObject({ kind: 'failed', failure: { kind: 'lost' } });
    expect(await lost).toMatchObject({
      kind: 'lost',
      sentence: expect.stringContaining(new URL(postgresUrl()).host) as string,
    });
    expect(session.isLost).toBe(true);
    expect(await session.query('SELECT 1', anyRow)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'lost' },
    });
    await session.close();
  });

  test('by the signal: the backend is gone', async () => {
    const controller = new AbortController();
    const session = await open({}, { signal: controller.signal });
    controller.abort();
    await session.close();
    expect(await watch.sessions()).toEqual([]);
    expect(session.isLost).toBe(false);
  });
});

describe('behind a pooler, which lends its backends to others', () => {
  test('every statement runs in a read-only transaction of its own, with the limits in it', async () => {
    const relay = await startRelay(Number(new URL(database.url).port), { hidesPids: true });
    const session = await open({ port: relay.port });
    const limits = `SELECT current_setting('statement_timeout') AS statement, current_setting('transaction_read_only') AS readonly, pg_backend_pid() AS pid`;
    const [first, second] = await Promise.all([
      session.query<{ pid: number }>(limits, anyRow),
      session.query(limits, anyRow),
    ]);
    expect(session.isPooled).toBe(true);
    expect(first).toMatchObject({ kind: 'rows', rows: [{ statement: '2s', readonly: 'on' }] });
    expect(second).toEqual(first);
    expect(await session.query('SELECT 1/0', anyRow)).toMatchObject({
      kind: 'failed',
      failure: { code: '22012' },
    });
    expect(await session.query('CREATE TABLE written (id int)', anyRow)).toMatchObject({
      kind: 'failed',
      failure: { code: '25006' },
    });
    expect(await session.query('ROLLBACK', anyRow)).toMatchObject({ kind: 'rows' });
    expect(await session.query(limits, anyRow)).toEqual(first);
    await session.close();
    await relay.stop();
  });
});
