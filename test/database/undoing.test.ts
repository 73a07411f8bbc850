import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import { openClient } from '../../src/database/open-client.ts';
import { openPool } from '../../src/database/open-pool.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import { createTally, type TransactionTally } from '../../src/database/transaction-tally.ts';
import type { WorkloadStatement } from '../../src/database/statement.ts';
import { anyRow } from '../support/any-row.ts';
import { accessTo } from '../support/access-to.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';

let database: FreshDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await createFreshDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`
    CREATE TABLE notes (id serial, text text);
    CREATE FUNCTION sneaky() RETURNS int LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM set_config('default_transaction_read_only', 'off', false);
      IF current_setting('transaction_read_only') = 'off' THEN INSERT INTO notes (text) VALUES ('sneaked in'); END IF;
      RETURN 1;
    END $$;
    CREATE FUNCTION leave_path() RETURNS text LANGUAGE sql AS $$ SELECT set_config('search_path', 'evil', false) $$`);
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

async function openSessionTo(url: string, tally: TransactionTally): Promise<DatabaseSession> {
  const { target, secret } = accessTo(url);
  const answer = await connectSession(target, secret, { runs: 'workload', tally });
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  return answer.session;
}

async function countNotes(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>('SELECT count(*)::int AS count FROM notes');
  return rows[0]?.count ?? -1;
}

const sneaky: WorkloadStatement = { text: 'SELECT sneaky()', name: 'sneaky' };
const failing: WorkloadStatement = {
  text: 'SELECT 1 / (1 - $1::int)',
  values: ['1'],
  name: 'failing',
};
const writing: WorkloadStatement = {
  text: "INSERT INTO notes (text) VALUES ('w') RETURNING id",
  writes: true,
  name: 'writing',
};

describe('directly connected', () => {
  let session: DatabaseSession;
  let tally: TransactionTally;
  beforeEach(async () => {
    tally = createTally();
    session = await openSessionTo(database.url, tally);
    return () => session.close();
  });

  test('a function that makes later transactions writable never finds one', async () => {
    for (let run = 0; run < 50; run += 1)
      expect(await session.run(sneaky)).toMatchObject({ kind: 'rows' });
    await session.settle();
    for (let run = 0; run < 50; run += 1)
      expect(await session.run(sneaky)).toMatchObject({ kind: 'rows' });
    await session.settle();
    expect(await countNotes()).toBe(0);
    expect(tally.read()).toMatchObject({ failed: 0, committed: 0, wrote: 0 });
  });

  test('a transaction ends after its slice, in the message of the statement that is last', async () => {
    const slow: WorkloadStatement = {
      text: 'SELECT pg_sleep(0.2), txid_current_if_assigned()',
      name: 'slow',
    };
    for (let run = 0; run < 6; run += 1) await session.run(slow);
    expect(tally.read().rolledBack).toBeGreaterThan(0);
    await session.settle();
    expect(tally.read()).toMatchObject({ failed: 0, committed: 0, wrote: 0 });
  });

  test('an error ends the transaction, and the next statement runs', async () => {
    expect(await session.run({ text: 'SELECT 1', name: 'one' })).toMatchObject({
      rows: [{ '?column?': 1 }],
    });
    expect(await session.run(failing)).toMatchObject({
      kind: 'failed',
      failure: { code: '22012' },
    });
    expect(await session.run({ text: 'SELECT 2 AS two', name: 'one' })).toMatchObject({
      rows: [{ two: 2 }],
    });
    expect(await session.run(failing)).toMatchObject({
      kind: 'failed',
      failure: { code: '22012' },
    });
    await session.settle();
    expect(tally.read()).toEqual({ rolledBack: 0, failed: 2, committed: 0, wrote: 0 });
  });

  test('what writes is rolled back, its errors as well', async () => {
    expect(await session.run({ text: 'SELECT 1' })).toMatchObject({ kind: 'rows' });
    expect(await session.run(writing)).toMatchObject({ kind: 'rows' });
    expect(await session.run({ ...failing, writes: true })).toMatchObject({ kind: 'failed' });
    expect(await session.run(writing)).toMatchObject({ kind: 'rows' });
    expect(await countNotes()).toBe(0);
    expect(tally.read()).toEqual({ rolledBack: 3, failed: 1, committed: 0, wrote: 0 });
  });

  test('a lock of a statement ends with the statement', async () => {
    for (let run = 0; run < 3; run += 1) {
      await session.run({ text: 'SELECT pg_advisory_xact_lock(7)', name: 'locking', locks: true });
      const { rows } = await admin.query('SELECT pg_try_advisory_xact_lock(7) AS "isFree"');
      expect(rows).toEqual([{ isFree: true }]);
    }
    await session.settle();
    expect(tally.read()).toMatchObject({ rolledBack: 3, failed: 0, committed: 0, wrote: 0 });
  });

  test('a statement of ours between two transactions finds the session as it was', async () => {
    await session.run({ text: 'SELECT leave_path()' });
    await session.settle();
    const answer = await session.query(
      "SELECT pg_catalog.current_setting('search_path') AS path",
      anyRow,
    );
    expect(answer).not.toMatchObject({ rows: [{ path: 'evil' }] });
  });

  test('a write that is not announced is refused', async () => {
    expect(await session.run({ ...writing, writes: false })).toMatchObject({
      kind: 'failed',
      failure: { code: '25006' },
    });
    expect(await countNotes()).toBe(0);
  });
});

describe.each(['session', 'transaction', 'statement'])('behind PgBouncer in %s mode', (mode) => {
  test('each message is undone, whatever it calls', async () => {
    await using bouncer = await startPgBouncer(database.url, 1, { settings: { pool_mode: mode } });
    const tally = createTally();
    const session = await openSessionTo(bouncer.url, tally);
    try {
      for (let run = 0; run < 20; run += 1)
        expect(await session.run(sneaky)).toMatchObject({ kind: 'rows' });
      expect(await session.run(failing)).toMatchObject({
        kind: 'failed',
        failure: { code: '22012' },
      });
      expect(await session.run({ text: 'SELECT leave_path()' })).toMatchObject({ kind: 'rows' });
      const path = await session.run({ text: "SELECT current_setting('search_path') AS path" });
      expect(path).toMatchObject({ rows: [{ path: '"$user", public' }] });
      const own = await session.query(
        "SELECT pg_catalog.current_setting('search_path') AS path, $1::boolean AS given",
        anyRow,
      );
      expect(own).toMatchObject({ kind: 'failed' });
      const looked = await session.query(
        {
          text: "SELECT pg_catalog.current_setting('search_path') AS path, $1::boolean AS given",
          values: [true],
        },
        anyRow,
      );
      expect(looked).toMatchObject({ rows: [{ path: 'pg_catalog, pg_temp', given: true }] });
      expect(await countNotes()).toBe(0);
      expect(tally.read()).toEqual({ rolledBack: 22, failed: 1, committed: 0, wrote: 0 });
    } finally {
      await session.close();
    }
  });
});

test('clients of a pool and a pipelined one undo each statement', async () => {
  const { target, secret } = accessTo(database.url);
  const tally = createTally();
  const { pool, undoing } = openPool(target, secret, {
    max: 2,
    startup: 'guarded',
    runs: 'workload',
    tally,
  });
  const client = await pool.connect();
  for (let run = 0; run < 20; run += 1) await undoing(client).run(sneaky);
  await expect(undoing(client).run(failing)).rejects.toMatchObject({ code: '22012' });
  await undoing(client).run(writing);
  client.release();
  await pool.end();
  const opened = await openClient(target, secret, {
    pipeline: true,
    isBrief: false,
    isPooled: false,
    patienceMs: 5000,
    tally,
    startup: 'guarded',
    runs: 'workload',
  });
  await Promise.all(Array.from({ length: 20 }, () => opened.undoing.run(sneaky)));
  const mixed = await Promise.allSettled(
    [sneaky, failing, sneaky, sneaky].map((statement) => opened.undoing.run(statement)),
  );
  expect(mixed.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  await opened.close();
  expect(await countNotes()).toBe(0);
  expect(tally.read()).toEqual({ rolledBack: 44, failed: 2, committed: 0, wrote: 0 });
});
