import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe } from '../../src/probe/run-probe.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { buildProbe, type BuiltProbe } from '../support/probe-process.ts';

let database: Awaited<ReturnType<typeof createOwnedDatabase>>;
let built: BuiltProbe;

beforeAll(async () => {
  [database, built] = await Promise.all([createOwnedDatabase({ tables: 'CREATE TABLE written (n int); CREATE FUNCTION write_it() RETURNS int LANGUAGE sql AS $$ INSERT INTO written VALUES (1) RETURNING n $$' }), buildProbe()]);
});

afterAll(async () => {
  await Promise.all([database[Symbol.asyncDispose](), built.remove()]);
});

function accessTo(url: string) {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { target: parsed.target, secret: parsed.secret };
}

function probe(url: string, change: Partial<SizeRequest> = {}): Promise<ProbeEvent<SizeResult>> {
  return runProbe({ ...sizeDefaults, ...accessTo(url), workload: workloadOf('SELECT pg_sleep(0.01)'), max: 8, seconds: 5, validate: false, ...change }, { signal: new AbortController().signal, onEvent: () => undefined, processPath: built.processPath });
}

test('through PgBouncer in transaction mode: its size is among those that are compared, its console says who waited, and backends stay as they were', async () => {
  await using bouncer = await startPgBouncer(database.url, 5);
  const last = await probe(bouncer.url);
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  expect(last.result.sizes.map(({ size }) => size)).toContain(5);
  expect(last.result).toMatchObject({ errors: {}, server: { pooler: { version: '1.18.0', mode: 'transaction', defaultPoolSize: 5, maxClientConnections: 100 } } });
  expect(last.result.server.pooler?.peakWaitingClients).toBeGreaterThan(0);
  expect(last.result.server.pooler?.waitShare).toBeGreaterThan(0);
  const application = new pg.Client({ connectionString: bouncer.url });
  await application.connect();
  const { rows } = await application.query("SELECT current_setting('statement_timeout') AS timeout, current_setting('transaction_read_only') AS readonly, (SELECT count(*)::int FROM pg_prepared_statements) AS prepared");
  await application.end();
  expect(rows).toEqual([{ timeout: '0', readonly: 'off', prepared: 0 }]);
});

describe('where transactions are refused (statement mode)', () => {
  test('the guards hold without one', async () => {
    await using bouncer = await startPgBouncer(database.url, 4, { settings: { pool_mode: 'statement' } });
    const [writing, planned] = await Promise.all([probe(bouncer.url, { workload: workloadOf('SELECT write_it()') }), probe(bouncer.url, { dryRun: true })]);
    expect(writing).toMatchObject({ kind: 'failed', sentence: expect.stringMatching(/read-only transaction/) as string });
    expect(planned).toMatchObject({ kind: 'plan', plan: { sizes: [1, 2, 3, 4, 6, 8] } });
  });
});

test('statements that write are refused, since a backend is not kept for them', async () => {
  await using bouncer = await startPgBouncer(database.url, 4);
  expect(await probe(bouncer.url, { allowWrites: true })).toMatchObject({ kind: 'failed', sentence: expect.stringMatching(/name the address of PostgreSQL itself/) as string });
});
