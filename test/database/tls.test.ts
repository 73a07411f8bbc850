import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import { openPool } from '../../src/database/open-pool.ts';
import { createTally } from '../../src/database/transaction-tally.ts';
import { parseTarget } from '../../src/database/target.ts';
import { anyRow } from '../support/any-row.ts';
import { createDatabaseWatch, type DatabaseWatch } from '../support/database-watch.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import type { StrangeServer } from '../support/strange-servers.ts';
import { certificateFile, startTlsRelay } from '../support/tls-relay.ts';

let database: FreshDatabase;
let watch: DatabaseWatch;
let relay: StrangeServer;

beforeAll(async () => {
  database = await createFreshDatabase();
  watch = await createDatabaseWatch(database);
  relay = await startTlsRelay(Number(new URL(database.url).port));
});

afterAll(async () => {
  await relay.stop();
  await watch.close();
  await database.drop();
});

function target(host: string, query: string) {
  const url = new URL(database.url);
  url.hostname = host;
  url.port = String(relay.port);
  const parsed = parseTarget(`${url.href}?${query}`);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return parsed;
}

test.each([
  [
    'a certificate of our own authority',
    `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificateFile)}`,
  ],
  ['no check at all, as asked', 'sslmode=no-verify'],
])('connects with %s', async (_name, query) => {
  const { target: to, secret } = target('localhost', query);
  const answer = await connectSession(to, secret);
  if (answer.kind === 'failed') throw new Error(answer.failure.sentence);
  expect(await answer.session.query('SELECT 1 AS one', anyRow)).toEqual({
    kind: 'rows',
    rows: [{ one: 1 }],
  });
  await answer.session.close();
  expect(await watch.sessions()).toEqual([]);
});

test.each([
  [
    'a certificate nobody vouches for',
    'localhost',
    'sslmode=verify-full',
    /is not trusted \(.*\)\. Set the certificate authority with sslrootcert/,
  ],
  [
    'a certificate nobody vouches for, sslmode=require',
    'localhost',
    'sslmode=require',
    /is not trusted/,
  ],
  [
    'a certificate for another name',
    '127.0.0.1',
    `sslmode=verify-full&sslrootcert=${encodeURIComponent(certificateFile)}`,
    /is for another host name/,
  ],
])('refuses %s', async (_name, host, query, sentence) => {
  const { target: to, secret } = target(host, query);
  const answer = await connectSession(to, secret);
  expect(answer).toMatchObject({
    kind: 'failed',
    failure: {
      kind: 'tls-refused',
      otherTls: 'no-verify',
      sentence: expect.stringMatching(sentence) as string,
    },
  });
  expect(await watch.sessions()).toEqual([]);
});

test('a pool is guarded like a session, over TLS too, and leaves nothing', async () => {
  const { target: to, secret } = target('localhost', 'sslmode=no-verify');
  const { pool } = openPool(to, secret, {
    max: 3,
    startup: 'without-triggers',
    applicationName: 'poolguard probe',
    tally: createTally(),
  });
  const { rows } = await pool.query(
    `SELECT current_setting('statement_timeout') AS statement, current_setting('default_transaction_read_only') AS readonly, current_setting('application_name') AS name`,
  );
  await Promise.all([
    pool.query('SELECT 1'),
    pool.query('SELECT 1'),
    pool.query('SELECT 1'),
    pool.query('SELECT 1'),
  ]);
  expect(pool.totalCount).toBeLessThanOrEqual(3);
  await pool.end();
  expect(rows).toEqual([{ statement: '2s', readonly: 'on', name: 'poolguard probe' }]);
  expect(await watch.sessions()).toEqual([]);
});
