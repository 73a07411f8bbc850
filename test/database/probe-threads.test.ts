import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { workloadOf } from '../../src/probe/request.ts';
import {
  onFirstProgress,
  startProbedDatabase,
  type ProbedDatabase,
} from '../support/probed-database.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

let probed: ProbedDatabase;

beforeAll(async () => {
  probed = await startProbedDatabase();
});

afterAll(() => probed.stop());

/** With two threads that share the connections, by the clock of this machine: threads know no other. */
const probe: ProbedDatabase['probe'] = (change, options) =>
  probed.probe(
    { workload: workloadOf('SELECT pg_sleep(0.005)'), max: 3, seconds: 4, threads: 2, ...change },
    { processPath: probed.built.processPath, ...options },
  );

test('two threads share the connections, and their load is counted together', async () => {
  let sessions: Promise<readonly number[]> | undefined;
  const last = await probe({}, { onEvent: onFirstProgress(() => (sessions = probed.probePids())) });
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  const { sizes, goodSize, verdict, transactions, notes, errors, slices } = last.result;
  expect(await sessions).toHaveLength(4);
  expect(verdict.kind === 'too-noisy').toBe(goodSize === null);
  expect(sizes.map(({ size }) => size)).toEqual([1, 2, 3]);
  expect(transactions?.rolledBack).toBeGreaterThan(0);
  expect(slices[0]?.load.threads).toBe(2);
  expect(notes).toContainEqual(
    expect.stringMatching(/^The probe itself, with 2 threads, used .* cores/),
  );
  expect(errors).toEqual({});
  await probed.expectNoSessionLeft();
});

test('threads time each statement too', async () => {
  const texts = ['SELECT pg_sleep(0.002)', 'SELECT pg_sleep(0.006)'];
  const last = await probe({
    workload: {
      kind: 'statements',
      statements: texts.map((text) => ({ text, weight: 1, parameters: [] })),
    },
    max: 2,
    seconds: 30,
  });
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  const { statementLoads: loads, goodSize } = last.result;
  expect(loads).toMatchObject({ alone: 1, from: goodSize });
  const [short, long] = loads?.statements ?? [];
  expect(short?.aloneMs).toBeGreaterThan(2);
  expect(long?.aloneMs).toBeGreaterThan(6);
  expect((short?.timeShare ?? 0) + (long?.timeShare ?? 0)).toBeCloseTo(1);
});

test('a cancel leaves no session of any thread', async () => {
  const ending = new AbortController();
  const last = await probe(
    { workload: workloadOf('SELECT pg_sleep(0.05)') },
    { signal: ending.signal, onEvent: onFirstProgress(() => ending.abort()) },
  );
  expect(last).toEqual({ kind: 'cancelled' });
  await probed.expectNoSessionLeft();
});

test('killing the measuring process leaves no session of any thread', async () => {
  let pid = 0;
  const last = await probe(
    {},
    {
      onStart: (started) => (pid = started),
      onEvent: onFirstProgress(() => process.kill(pid, 'SIGKILL')),
    },
  );
  expect(last.kind).toBe('failed');
  await probed.expectNoSessionLeft();
});

test('a statement that fails in the threads stops the probe and says how', async () => {
  await probed.admin.query(
    "CREATE FUNCTION fail_beside_others() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()) > 3 THEN RAISE EXCEPTION 'no' USING ERRCODE = '22012'; END IF; PERFORM pg_sleep(0.002); RETURN 1; END $$",
  );
  expect(await probe({ workload: workloadOf('SELECT fail_beside_others()') })).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/\d+ % of its statements failed \(\d+ × 22012\)/) as string,
  });
});

test.each([
  ['as it starts', 'throw new TypeError("no such thing");'],
  ['in the middle', 'setTimeout(() => { throw new TypeError("no such thing"); }, 1_500);'],
])('a thread that breaks %s ends the probe with where it broke', async (_when, fault) => {
  await using folder = await createTemporaryFolder({
    'fault.cjs': `if (!require("node:worker_threads").isMainThread) { ${fault} }`,
  });
  vi.stubEnv('NODE_OPTIONS', `--require=${join(folder.path, 'fault.cjs')}`);
  const last = await probe().finally(() => vi.unstubAllEnvs());
  expect(last).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/^The probe failed unexpectedly \(TypeError\)\./) as string,
    stack: expect.stringMatching(/^\s+at .*fault\.cjs/mu) as string,
  });
  await probed.expectNoSessionLeft();
});
