import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { judgeWorkload, type JudgedWorkload } from '../../src/probe/calls/judge-workload.ts';
import { transactionLocks } from '../../src/probe/calls/accidents.ts';
import type { Refusal } from '../../src/probe/refusal.ts';
import { workloadOf } from '../../src/probe/request.ts';
import { loadSqlParser } from '../../src/probe/workload/sql-parser.ts';
import { readyStatements } from '../../src/probe/workload/ready-statements.ts';
import { accessTo } from '../support/access-to.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { startProbedDatabase } from '../support/probed-database.ts';

/** What the application's owner has made, and what an administrator has. */
const ofOwner = `
  CREATE TABLE orders (id int PRIMARY KEY, note text, amount numeric);
  CREATE FUNCTION order_total(int) RETURNS numeric LANGUAGE plpgsql STABLE AS 'BEGIN RETURN (SELECT amount FROM orders WHERE id = $1); END';
  CREATE VIEW order_list AS SELECT id, order_total(id) AS total FROM orders;
  CREATE VIEW list_of_list AS SELECT * FROM order_list;
  CREATE FUNCTION raising() RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''it ran''; END';

  CREATE FUNCTION locking(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_lock($1); RETURN $1; END';
  CREATE FUNCTION deep(int) RETURNS int LANGUAGE sql AS 'SELECT locking($1)';
  CREATE FUNCTION setting(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_catalog.set_config(''search_path'', ''evil'', false); RETURN $1; END';
  CREATE FUNCTION dynamic(text) RETURNS int LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; RETURN 1; END';
  CREATE FUNCTION atomic(int) RETURNS bool BEGIN ATOMIC SELECT pg_advisory_lock(1) IS NULL; END;
  CREATE VIEW locking_list AS SELECT locking(id) FROM orders;

  CREATE FUNCTION same_enough(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT pg_advisory_lock(1) IS NULL';
  CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same_enough);
  CREATE FUNCTION adding(int, int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT $1';
  CREATE AGGREGATE last_id(int) (SFUNC = adding, STYPE = int);

  CREATE TABLE guarded (id int);
  ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON guarded USING (locking(id) > 0);
  CREATE TABLE watched (id int);
  CREATE FUNCTION on_insert() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_lock(1); RETURN new; END';
  CREATE TRIGGER watching BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION on_insert();`;

const ofAdministrator = `
  CREATE EXTENSION pg_trgm;
  CREATE EXTENSION "uuid-ossp";
  CREATE EXTENSION tablefunc;
  CREATE EXTENSION postgres_fdw;`;

let database: OwnedDatabase;

beforeAll(async () => {
  database = await createOwnedDatabase({ tables: ofOwner });
  await runAs(asSuperuser(), ofAdministrator);
});

afterAll(() => database[Symbol.asyncDispose]());

function asSuperuser(): string {
  const url = new URL(postgresUrl());
  url.pathname = new URL(database.url).pathname;
  return url.href;
}

async function runAs(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

async function withSession<Answer>(
  url: string,
  use: (session: DatabaseSession) => Promise<Answer>,
): Promise<Answer> {
  const { target, secret } = accessTo(url);
  const answer = await connectSession(target, secret, { runs: 'workload' });
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  try {
    return await use(answer.session);
  } finally {
    await answer.session.close();
  }
}

interface Asked {
  readonly allowFunctions?: readonly string[];
  readonly allowWrites?: boolean;
  readonly url?: string;
}

async function judge(
  text: string,
  { allowFunctions = [], allowWrites = false, url = database.url }: Asked = {},
): Promise<Refusal | JudgedWorkload> {
  const loaded = await loadSqlParser();
  if (loaded.kind === 'refused') throw new Error(loaded.sentence);
  const parameters = text.includes('$1') ? ['1'] : [];
  const ready = readyStatements([{ text, weight: 1, parameters }], {
    parse: loaded.parse,
    allowWrites,
    allowFunctions,
  });
  if ('kind' in ready) return ready;
  return withSession(url, (session) =>
    judgeWorkload(session, ready, { allowFunctions, leavesOutOf: null }),
  );
}

async function sentenceFor(text: string, asked: Asked = {}): Promise<string> {
  const answer = await judge(text, asked);
  return answer.kind === 'refused' ? answer.sentence : `judged: ${answer.calls.join('; ')}`;
}

describe('what is called is listed', () => {
  test.each([
    [
      'a function in a view in a view',
      'SELECT * FROM list_of_list WHERE id = $1',
      ['public.order_total(integer): plpgsql, stable'],
    ],
    [
      'nothing but what PostgreSQL brings',
      'SELECT count(*), random(), clock_timestamp(), gen_random_uuid() FROM orders',
      [],
    ],
    [
      'code of an extension',
      "SELECT similarity(note, 'x'), uuid_generate_v4() FROM orders",
      [
        'public.similarity(text, text): C of extension pg_trgm, immutable',
        'public.uuid_generate_v4(): C of extension uuid-ossp, volatile',
      ],
    ],
    [
      'an aggregate',
      'SELECT last_id(id) FROM orders',
      ['public.last_id(integer): aggregate, immutable'],
    ],
    [
      'SQL that is put together, whatever it is',
      "SELECT dynamic('SELECT 1')",
      ['public.dynamic(text): plpgsql, volatile'],
    ],
  ])('%s', async (_, text, calls) => {
    expect(await judge(text)).toMatchObject({ kind: 'judged', calls });
  });

  test('with a sentence that says how far the look goes', async () => {
    expect(await judge('SELECT * FROM order_list')).toMatchObject({
      notes: [expect.stringMatching(/one level below .*a courtesy/)],
    });
    expect(await judge('SELECT 1')).toMatchObject({ notes: [] });
  });

  test('every view that PostgreSQL brings may be read', async () => {
    const { rows } = await runAs(
      asSuperuser(),
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'v' AND oid < 16384",
    );
    const names = (rows as { name: string }[]).map(({ name }) => name);
    const trees = await withSession(asSuperuser(), (session) =>
      judgeWorkload(
        session,
        names.map((name) => ({
          text: `SELECT * FROM ${name}`,
          label: name,
          weight: 1,
          parameters: [],
          writes: false,
          isSampled: false,
          drawValues: () => [],
        })),
        { allowFunctions: [], leavesOutOf: 'the top statements' },
      ),
    );
    expect(trees).toMatchObject({ kind: 'judged', notes: [] });
  });
});

describe('what outlasts a rollback is refused', () => {
  test.each([
    [
      'a session-wide lock in a function of the statement',
      'SELECT locking(1)',
      /^The statement calls public\.locking\(integer\), which calls pg_advisory_lock, which holds a lock beyond .*--allow-functions public\.locking\.$/,
    ],
    [
      'settings',
      'SELECT setting(1)',
      /public\.setting\(integer\), which calls set_config, which changes settings/,
    ],
    [
      'a body in standard SQL',
      'SELECT atomic(1)',
      /atomic\(integer\), which calls pg_advisory_lock/,
    ],
    ['a view', 'SELECT count(*) FROM locking_list', /public\.locking\(integer\)/],
    [
      'an operator',
      "SELECT id FROM orders WHERE note === 'x'",
      /public\.same_enough\(text, text\)/,
    ],
    ['a policy', 'SELECT * FROM guarded', /public\.locking\(integer\)/],
    ['setseed', 'SELECT setseed(0.5)', /setseed, which changes the session/],
    ['set_limit of an extension', 'SELECT set_limit(0.93)', /set_limit, which changes the session/],
    [
      'SQL in a string of an extension',
      "SELECT * FROM crosstab('SELECT 1') AS t (a text)",
      /crosstab, which can run SQL that this check does not see/,
    ],
    ['another server', 'SELECT postgres_fdw_disconnect_all()', /reaches other servers/],
    [
      'an error',
      'SELECT nme FROM orders',
      /^The statement does not run\..*column "nme" does not exist/,
    ],
  ])('%s', async (_, text, sentence) => {
    expect(await sentenceFor(text)).toMatch(sentence);
  });

  test('a trigger, where writes are allowed', async () => {
    expect(await sentenceFor('INSERT INTO watched VALUES (1)', { allowWrites: true })).toMatch(
      /public\.on_insert\(\), which calls pg_advisory_lock/,
    );
    expect(await judge('SELECT * FROM watched')).toMatchObject({ kind: 'judged', calls: [] });
  });

  test('one level deep: what lies below is not looked at', async () => {
    expect(await judge('SELECT deep(1)')).toMatchObject({
      kind: 'judged',
      calls: ['public.deep(integer): sql, volatile'],
    });
  });
});

test('what is allowed by name is called, and the plan says so', async () => {
  expect(await judge('SELECT locking(1)', { allowFunctions: ['public.locking'] })).toMatchObject({
    calls: ['public.locking(integer): plpgsql, volatile, allowed by name'],
  });
  expect(
    await judge('SELECT setseed(0.5)', { allowFunctions: ['pg_catalog.setseed'] }),
  ).toMatchObject({ kind: 'judged' });
  expect(await sentenceFor('SELECT setseed(0.5)', { allowFunctions: ['public.setseed'] })).toMatch(
    /pg_catalog\.setseed.*changes the session/,
  );
});

test.each([
  ['SELECT * FROM order_list', true],
  ['SELECT pg_advisory_xact_lock(1)', true],
  ['SELECT last_id(id) FROM orders', false],
  ["SELECT similarity(note, 'x') FROM orders", false],
])('%s may lock until its transaction ends: %s', async (text, locks) => {
  expect(await judge(text)).toMatchObject({ statements: [{ locks }] });
});

test('a parse runs nothing, and leaves nothing', async () => {
  await withSession(database.url, async (session) => {
    const trees = await session.readRewritten('SELECT raising(), $1::int');
    expect(trees).toMatchObject({ kind: 'rows', rows: [expect.stringContaining(':funcid')] });
    expect(await session.readRewritten('SELECT 1; SELECT 2')).toMatchObject({
      kind: 'failed',
      failure: { code: '42601' },
    });
    const settings = await session.query(
      "SELECT pg_catalog.current_setting('debug_print_rewritten') AS tree, pg_catalog.current_setting('client_min_messages') AS level",
    );
    expect(settings).toMatchObject({
      rows: [{ tree: 'off', level: expect.not.stringMatching('log') as string }],
    });
  });
});

test.each(['session', 'transaction', 'statement'])(
  'through a PgBouncer in %s mode',
  async (mode) => {
    await using bouncer = await startPgBouncer(database.url, 2, { settings: { pool_mode: mode } });
    expect(
      await judge('SELECT * FROM order_list WHERE id = $1', { url: bouncer.url }),
    ).toMatchObject({
      kind: 'judged',
      calls: [expect.stringContaining('public.order_total')],
    });
    expect(await sentenceFor('SELECT locking(1)', { url: bouncer.url })).toMatch(
      /pg_advisory_lock/,
    );
    const { rows } = await runAs(
      bouncer.url,
      "SELECT pg_catalog.current_setting('debug_print_rewritten') AS tree, pg_catalog.current_setting('transaction_read_only') AS readonly",
    );
    expect(rows).toEqual([{ tree: 'off', readonly: 'off' }]);
  },
);

test('functions that lock until the transaction ends are known by OID', async () => {
  const { rows } = await runAs(
    asSuperuser(),
    "SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '_advisory_xact_lock(_shared)?$'",
  );
  expect(new Set((rows as { oid: number }[]).map(({ oid }) => oid))).toEqual(transactionLocks);
});

describe('a probe', () => {
  test('refuses before it runs anything, lists what is called, and does so in a dry run', async () => {
    const probed = await startProbedDatabase();
    try {
      const workload = workloadOf('SELECT * FROM order_list');
      expect(await probed.probe({ workload, dryRun: true }, {}, database.url)).toMatchObject({
        kind: 'plan',
        plan: {
          calls: ['public.order_total(integer): plpgsql, stable'],
        },
      });
      const refused = await probed.probe(
        { workload: workloadOf('SELECT locking(4711)') },
        {},
        database.url,
      );
      expect(refused).toMatchObject({
        kind: 'failed',
        sentence: expect.stringMatching(/^The statement calls public\.locking/) as string,
      });
      expect(
        (
          await runAs(
            asSuperuser(),
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711",
          )
        ).rowCount,
      ).toBe(0);
    } finally {
      await probed.stop();
    }
  });
});
