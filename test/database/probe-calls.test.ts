import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { judgeWorkload, type JudgedWorkload } from '../../src/probe/calls/judge-workload.ts';
import { transactionLocks } from '../../src/probe/calls/judge-closure.ts';
import { refusedNames } from '../../src/probe/calls/refused-oids.ts';
import { refusedFunctions } from '../../src/probe/workload/refused-functions.ts';
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
  CREATE TABLE lines (order_id int REFERENCES orders ON DELETE CASCADE);
  CREATE FUNCTION order_total(int) RETURNS numeric LANGUAGE plpgsql STABLE AS 'BEGIN RETURN (SELECT amount FROM orders WHERE id = $1); END';
  CREATE VIEW order_list AS SELECT id, order_total(id) AS total FROM orders;
  CREATE VIEW list_of_list AS SELECT * FROM order_list;
  CREATE FUNCTION raising() RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''it ran''; END';

  CREATE FUNCTION locking(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_lock($1); RETURN $1; END';
  CREATE FUNCTION deep(int) RETURNS int LANGUAGE sql AS 'SELECT locking($1)';
  CREATE FUNCTION setting(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM set_config(''search_path'', ''evil'', false); RETURN $1; END';
  CREATE FUNCTION dynamic(text) RETURNS int LANGUAGE plpgsql AS 'BEGIN EXECUTE $1; RETURN 1; END';
  CREATE FUNCTION atomic(int) RETURNS int BEGIN ATOMIC SELECT locking($1); END;
  CREATE FUNCTION with_default(a int DEFAULT locking(1)) RETURNS int LANGUAGE sql AS 'SELECT 1';
  CREATE FUNCTION of_row(orders) RETURNS int LANGUAGE sql AS 'SELECT locking(1)';
  CREATE FUNCTION by_column() RETURNS int LANGUAGE sql AS 'SELECT o.of_row FROM orders AS o';
  CREATE PROCEDURE closing() LANGUAGE plpgsql AS 'BEGIN COMMIT; END';
  CREATE VIEW locking_list AS SELECT deep(id) FROM orders;
  CREATE FUNCTION through_view() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM locking_list';

  CREATE FUNCTION same_enough(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT locking(1) = 1';
  CREATE OPERATOR === (LEFTARG = text, RIGHTARG = text, FUNCTION = same_enough);
  CREATE FUNCTION by_operator(text) RETURNS boolean LANGUAGE sql AS 'SELECT $1 === ''x''';
  CREATE TYPE mood AS ENUM ('good');
  CREATE FUNCTION to_text(mood) RETURNS text LANGUAGE sql AS 'SELECT locking(1)::text';
  CREATE CAST (mood AS text) WITH FUNCTION to_text(mood) AS IMPLICIT;
  CREATE TABLE moods (mood mood);
  CREATE FUNCTION adding(int, int) RETURNS int LANGUAGE sql AS 'SELECT locking($1)';
  CREATE AGGREGATE locking_sum(int) (SFUNC = adding, STYPE = int);

  CREATE TABLE guarded (id int);
  ALTER TABLE guarded ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_rows ON guarded USING (locking(id) > 0);
  CREATE TABLE indexed (id int);
  CREATE FUNCTION claimed(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN IF $1 = 0 THEN PERFORM pg_advisory_lock(1); END IF; RETURN 1; END';
  CREATE INDEX by_claim ON indexed ((claimed(7))) WHERE id > 0;
  CREATE TABLE watched (id int);
  CREATE FUNCTION on_insert() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM locking(1); RETURN new; END';
  CREATE TRIGGER watching BEFORE INSERT ON watched FOR EACH ROW EXECUTE FUNCTION on_insert();
  CREATE FUNCTION on_delete() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM dynamic(''x''); RETURN old; END';
  CREATE TRIGGER line_gone AFTER DELETE ON lines FOR EACH ROW EXECUTE FUNCTION on_delete();`;

const ofAdministrator = `
  CREATE FUNCTION as_administrator() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
  CREATE EXTENSION pg_trgm;
  CREATE EXTENSION "uuid-ossp";
  CREATE EXTENSION tablefunc;
  CREATE EXTENSION postgres_fdw;
  CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw;
  CREATE FOREIGN TABLE far_orders (id int) SERVER far;
  CREATE TABLE parted (id int) PARTITION BY LIST (id);
  CREATE FOREIGN TABLE far_part PARTITION OF parted FOR VALUES IN (1) SERVER far;
  GRANT SELECT ON far_orders, parted TO PUBLIC;`;

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

describe('what may be called is listed', () => {
  test.each([
    [
      'a function in a view in a view',
      'SELECT * FROM list_of_list WHERE id = $1',
      ['public.order_total(integer): plpgsql, stable, called by view public.order_list'],
    ],
    [
      'nothing but what PostgreSQL brings',
      'SELECT count(*), random(), clock_timestamp(), gen_random_uuid() FROM orders',
      [],
    ],
    [
      'immutable code of an extension',
      "SELECT similarity(note, 'x') FROM orders",
      ['public.similarity(text, text): C of extension pg_trgm, immutable, called by the statement'],
    ],
    [
      'volatile code of an extension that only draws',
      'SELECT uuid_generate_v4()',
      ['public.uuid_generate_v4(): C of extension uuid-ossp, volatile, called by the statement'],
    ],
    [
      'views of PostgreSQL',
      'SELECT (SELECT count(*) FROM pg_stat_activity), (SELECT count(*) FROM pg_settings), (SELECT count(*) FROM information_schema.columns)',
      [],
    ],
    ['an index that is not in the statement', 'SELECT * FROM indexed', null],
  ])('%s', async (_, text, calls) => {
    const answer = await judge(text);
    if (calls === null) expect(answer).toMatchObject({ kind: 'refused' });
    else expect(answer).toMatchObject({ kind: 'judged', calls });
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

describe('what is refused, with the name of what calls it', () => {
  test.each([
    [
      'a session-wide lock two functions deep',
      'SELECT deep(1)',
      /^The statement calls pg_catalog\.pg_advisory_lock\(bigint\), which holds a lock beyond .*Path: the statement → public\.deep\(integer\) → public\.locking\(integer\) → pg_catalog\.pg_advisory_lock\(bigint\)\. .*--allow-functions public\.locking\.$/,
    ],
    [
      'settings',
      'SELECT setting(1)',
      /set_config\(text, text, boolean\), which changes settings\. Path: .*public\.setting/,
    ],
    [
      'SQL that is put together',
      "SELECT dynamic('x')",
      /^The statement calls public\.dynamic\(text\), which runs EXECUTE, whose text cannot be judged\. If you trust it: --allow-functions public\.dynamic\.$/,
    ],
    ['a body in standard SQL', 'SELECT atomic(1)', /public\.atomic\(integer\) → public\.locking/],
    [
      'the default of an argument',
      'SELECT with_default()',
      /public\.with_default\(integer\) → public\.locking/,
    ],
    [
      'a function called like a column',
      'SELECT by_column()',
      /public\.by_column\(\) → public\.of_row\(orders\)/,
    ],
    [
      'a view within a body',
      'SELECT through_view()',
      /public\.through_view\(\) → view public\.locking_list → public\.deep/,
    ],
    [
      'a view',
      'SELECT count(*) FROM locking_list',
      /the statement → view public\.locking_list → public\.deep/,
    ],
    [
      'an operator',
      "SELECT id FROM orders WHERE note === 'x'",
      /public\.same_enough\(text, text\)/,
    ],
    [
      'an operator within a body',
      "SELECT by_operator('x')",
      /public\.by_operator\(text\) → public\.same_enough/,
    ],
    ['an implicit cast', 'SELECT lower(mood) FROM moods', /public\.to_text\(mood\)/],
    [
      'an aggregate',
      'SELECT locking_sum(id) FROM orders',
      /public\.locking_sum\(integer\) → public\.adding\(integer, integer\)/,
    ],
    ['a policy', 'SELECT * FROM guarded', /policy own_rows of public\.guarded → public\.locking/],
    [
      'an index, whose expression the planner simplifies',
      'SELECT * FROM indexed',
      /index by_claim of public\.indexed → public\.claimed/,
    ],
    [
      'SECURITY DEFINER of another role',
      'SELECT as_administrator()',
      /public\.as_administrator\(\), which runs with the rights of \w+ \(SECURITY DEFINER\)/,
    ],
    ['setseed', 'SELECT setseed(0.5)', /setseed, which changes the session/],
    ['set_limit of an extension', 'SELECT set_limit(0.93)', /set_limit, which changes the session/],
    [
      'SQL in a string of an extension',
      "SELECT * FROM crosstab('SELECT 1') AS t (a text)",
      /crosstab, which can run SQL that this check does not see/,
    ],
    [
      'volatile code of an extension, as an operand',
      'SELECT postgres_fdw_disconnect_all()',
      /reaches other servers/,
    ],
    ['a foreign table', 'SELECT * FROM far_orders', /public\.far_orders, which is a foreign table/],
    [
      'a partition that is a foreign table',
      'SELECT * FROM parted',
      /public\.far_part, which is a foreign table/,
    ],
    [
      'an error',
      'SELECT nme FROM orders',
      /^The statement does not run\..*column "nme" does not exist/,
    ],
  ])('%s', async (_, text, sentence) => {
    expect(await sentenceFor(text)).toMatch(sentence);
  });

  test('as a superuser, every function of the database', async () => {
    expect(await sentenceFor('SELECT * FROM order_list', { url: asSuperuser() })).toMatch(
      /public\.order_total\(integer\), which is code of this database, which would run with the rights of a superuser/,
    );
  });

  test('a trigger, and one behind a foreign key, where writes are allowed', async () => {
    expect(await sentenceFor('INSERT INTO watched VALUES (1)', { allowWrites: true })).toMatch(
      /trigger watching of public\.watched → public\.on_insert\(\) → public\.locking/,
    );
    expect(await sentenceFor('DELETE FROM orders', { allowWrites: true })).toMatch(
      /trigger line_gone of public\.lines → public\.on_delete\(\) → public\.dynamic/,
    );
    expect(await judge('SELECT * FROM watched, lines')).toMatchObject({
      kind: 'judged',
      calls: [],
    });
  });
});

test('what is allowed by name is called with all that it calls, and the plan says so', async () => {
  expect(await judge('SELECT deep(1)', { allowFunctions: ['public.locking'] })).toMatchObject({
    calls: [
      'public.deep(integer): sql, volatile, called by the statement',
      'public.locking(integer): plpgsql, volatile, called by public.deep(integer), allowed by name',
    ],
  });
  expect(
    await judge('SELECT * FROM far_orders', { allowFunctions: ['public.far_orders'] }),
  ).toMatchObject({
    kind: 'judged',
    calls: ['public.far_orders: foreign table, read by the statement, allowed by name'],
  });
  expect(
    await judge('SELECT setseed(0.5)', { allowFunctions: ['pg_catalog.setseed'] }),
  ).toMatchObject({
    kind: 'judged',
  });
  expect(await sentenceFor('SELECT setseed(0.5)', { allowFunctions: ['public.setseed'] })).toMatch(
    /pg_catalog\.setseed.*changes the session/,
  );
  expect(
    await sentenceFor('SELECT deep(1)', { allowFunctions: ['locking', 'public.lock'] }),
  ).toMatch(/pg_advisory_lock/);
});

test('a domain is looked at before a statement is parsed, since a literal of an array of it runs its CHECK', async () => {
  await using other = await createOwnedDatabase({
    tables:
      "CREATE FUNCTION locking(int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_lock(1); RETURN true; END'; CREATE DOMAIN positive AS int CHECK (locking(VALUE)); CREATE TABLE t (n positive[])",
  });
  const literals = [
    "'{1}'",
    "' {1}'",
    "E'\\x7b1}'",
    "U&'\\007b1}'",
    "U&'!007b1}' UESCAPE '!'",
    "U&'!007b1}' uescape '!'",
    '$$ {1}$$',
    '$x$ {1}$x$',
  ];
  for (const literal of literals)
    expect(
      await sentenceFor(`SELECT * FROM t WHERE n = ${literal}`, { url: other.url }),
      literal,
    ).toMatch(
      /^A literal of the statement may make PostgreSQL call pg_catalog\.pg_advisory_lock\(bigint\).*domain public\.positive → public\.locking/,
    );
  expect(await judge('SELECT 1', { url: other.url })).toMatchObject({ calls: [] });
  expect(
    await judge("SELECT * FROM t WHERE n = '{1}'", {
      url: other.url,
      allowFunctions: ['public.locking'],
    }),
  ).toMatchObject({
    calls: [
      'public.locking(integer): plpgsql, volatile, called by domain public.positive, allowed by name',
    ],
  });
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
    expect(await sentenceFor('SELECT deep(1)', { url: bouncer.url })).toMatch(/pg_advisory_lock/);
    const { rows } = await runAs(
      bouncer.url,
      "SELECT pg_catalog.current_setting('debug_print_rewritten') AS tree, pg_catalog.current_setting('transaction_read_only') AS readonly",
    );
    expect(rows).toEqual([{ tree: 'off', readonly: 'off' }]);
  },
);

test('refused functions of PostgreSQL are known by name and by OID alike', async () => {
  const { rows } = await runAs(
    asSuperuser(),
    "SELECT oid, proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND oid < 16384",
  );
  const functions = rows as { oid: number; name: string }[];
  const byName = functions.filter(({ name }) =>
    refusedFunctions.some(({ names }) => names.test(name)),
  );
  expect(functions.filter(({ oid }) => refusedNames.has(oid))).toEqual(byName);
});

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
          calls: ['public.order_total(integer): plpgsql, stable, called by view public.order_list'],
        },
      });
      const refused = await probed.probe(
        { workload: workloadOf('SELECT locking(4711)') },
        {},
        database.url,
      );
      expect(refused).toMatchObject({
        kind: 'failed',
        sentence: expect.stringMatching(
          /^The statement calls pg_catalog\.pg_advisory_lock/,
        ) as string,
      });
      expect(
        (
          await runAs(
            asSuperuser(),
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711",
          )
        ).rowCount,
      ).toBe(0);
      const allowed = await probed.probe(
        {
          workload: workloadOf("SELECT dynamic('SELECT 1')"),
          dryRun: true,
          allowFunctions: ['public.dynamic'],
        },
        {},
        database.url,
      );
      expect(allowed).toMatchObject({
        kind: 'plan',
        plan: {
          calls: [
            'public.dynamic(text): plpgsql, volatile, called by the statement, allowed by name',
          ],
        },
      });
    } finally {
      await probed.stop();
    }
  });
});
