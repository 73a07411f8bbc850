import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe, type RunProbeOptions } from '../../src/probe/run-probe.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { buildProbe, type BuiltProbe } from '../support/probe-process.ts';

let database: FreshDatabase;
let built: BuiltProbe;
let admin: pg.Client;

beforeAll(async () => {
  [database, built] = await Promise.all([createFreshDatabase(), buildProbe()]);
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await Promise.all([database.drop(), built.remove()]);
});

/** With two threads that share the connections. */
function probe(change: Partial<SizeRequest>, options: Partial<RunProbeOptions<SizeResult>> = {}): Promise<ProbeEvent<SizeResult>> {
  const parsed = parseTarget(database.url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const request: SizeRequest = { ...sizeDefaults, target: parsed.target, secret: parsed.secret, workload: workloadOf('SELECT pg_sleep(0.01)'), max: 5, seconds: 5, validate: false, threads: 2, ...change };
  return runProbe(request, { signal: new AbortController().signal, onEvent: () => undefined, processPath: built.processPath, ...options });
}

async function countSessions(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>("SELECT count(*)::int FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()");
  return rows[0]?.count ?? 0;
}

function onFirstProgress(action: () => unknown): RunProbeOptions['onEvent'] {
  let isFirst = true;
  return ({ kind }) => {
    if (kind !== 'progress' || !isFirst) return;
    isFirst = false;
    action();
  };
}

test('two threads share the connections, and their load is counted together', async () => {
  let sessions = 0;
  const last = await probe({}, { onEvent: onFirstProgress(async () => (sessions = await countSessions())) });
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  const { sizes, verdict, notes, errors, slices } = last.result;
  expect(sessions).toBe(6);
  expect(verdict.kind).toBe('not-saturated');
  expect(sizes.map(({ size }) => size)).toEqual([1, 2, 3, 4, 5]);
  // Ten milliseconds of sleep, and a wake-up.
  for (const { meanMs } of sizes) expect(meanMs).toBeGreaterThan(9.9);
  expect(slices[0]?.load.threads).toBe(2);
  expect(notes).toContainEqual(expect.stringMatching(/^The probe itself, with 2 threads, used .* cores/));
  expect(errors).toEqual({});
  await expect.poll(countSessions).toBe(0);
});

test('a cancel leaves no session of any thread', async () => {
  const ending = new AbortController();
  const last = await probe({ workload: workloadOf('SELECT pg_sleep(0.4)') }, { signal: ending.signal, onEvent: onFirstProgress(() => ending.abort()) });
  expect(last).toEqual({ kind: 'cancelled' });
  await expect.poll(countSessions).toBe(0);
});

test('killing the measuring process leaves no session of any thread', async () => {
  let pid = 0;
  const last = await probe({}, { onStart: (started) => (pid = started), onEvent: onFirstProgress(() => process.kill(pid, 'SIGKILL')) });
  expect(last.kind).toBe('failed');
  await expect.poll(countSessions, { timeout: 5000 }).toBe(0);
});

test('a statement that fails in the threads stops the probe and says how', async () => {
  await admin.query("CREATE FUNCTION fail_beside_others() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%') > 3 THEN RAISE EXCEPTION 'no' USING ERRCODE = '22012'; END IF; PERFORM pg_sleep(0.002); RETURN 1; END $$");
  expect(await probe({ workload: workloadOf('SELECT fail_beside_others()') })).toMatchObject({ kind: 'failed', sentence: expect.stringMatching(/\d+ % of its statements failed \(\d+ × 22012\)/) as string });
});
