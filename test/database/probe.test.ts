import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/database/secret.ts';
import { workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { isRunning } from '../support/is-running.ts';
import {
  onFirstProgress,
  startProbedDatabase,
  type ProbedDatabase,
} from '../support/probed-database.ts';

let probed: ProbedDatabase;
const probe: ProbedDatabase['probe'] = (...given) => probed.probe(...given);
const expectNoSessionLeft: ProbedDatabase['expectNoSessionLeft'] = (withinMs) =>
  probed.expectNoSessionLeft(withinMs);

beforeAll(async () => {
  probed = await startProbedDatabase();
});

afterAll(() => probed.stop());

async function probeForResult(change: Partial<SizeRequest>): Promise<SizeResult> {
  const last = await probe(change);
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  return last.result;
}

/** What stands for sure: on a machine that others keep busy the probe refuses a number, and is asked again. */
async function probeUntilQuiet(change: Partial<SizeRequest>, attempts = 3): Promise<SizeResult> {
  const result = await probeForResult(change);
  return result.verdict.kind === 'too-noisy' && attempts > 1
    ? probeUntilQuiet(change, attempts - 1)
    : result;
}

describe('answers', () => {
  test('a statement that only waits does not saturate, and a real pool confirms it', async () => {
    const result = await probeUntilQuiet({
      workload: workloadOf('SELECT pg_sleep(0.005)'),
      validate: true,
    });
    expect(result).toMatchObject({
      verdict: { kind: 'not-saturated' },
      recommendation: { max: 8 },
      knee: null,
      errors: {},
    });
    expect(result.sizes.map(({ size }) => size)).toEqual([1, 2, 4, 8]);
    expect(result.sizes.every(({ acceptedSlices }) => acceptedSlices >= 3)).toBe(true);
    const { validation } = result;
    expect(validation).toMatchObject({
      max: 8,
      closed: { callers: 32, load: { peakWaiting: 24 } },
    });
    const { database, wait } = validation?.closed?.load ?? {};
    expect(database?.averageMs).toBeGreaterThanOrEqual(5);
    expect(wait?.averageMs).toBeGreaterThan(2 * (database?.averageMs ?? 0));
    await expectNoSessionLeft();
  });

  test('a statement that holds a lock has a flat curve, and gets one or two clients', async () => {
    const { sizes, verdict, recommendation } = await probeForResult({
      workload: workloadOf('SELECT pg_advisory_xact_lock(1), pg_sleep(0.01)'),
      seconds: 8,
    });
    const [one, eight] = [sizes[0]?.throughput ?? 0, sizes.at(-1)?.throughput ?? 0];
    expect(eight).toBeLessThan(2.5 * one);
    // On a machine that other tests keep busy, refusing a number is right as well.
    const allowed = recommendation === null ? ['too-noisy'] : ['lock-bound'];
    expect(allowed).toContain(verdict.kind);
    if (recommendation !== null) expect(recommendation.interval[0]).toBeLessThanOrEqual(2);
    await expectNoSessionLeft();
  });

  test('events come in order: a plan, progress that rises, one last', async () => {
    const events: ProbeEvent[] = [];
    const last = await probe({ max: 4 }, { onEvent: (event) => events.push(event) });
    expect(events.at(-1)).toBe(last);
    expect(events.map(({ kind }) => kind).filter((kind, at, all) => kind !== all[at - 1])).toEqual([
      'plan',
      'progress',
      'result',
    ]);
    const fractions = events.flatMap((event) =>
      event.kind === 'progress' ? [event.fraction] : [],
    );
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
  });

  test('a dry run ends with the plan and runs nothing', async () => {
    const last = await probe({ workload: workloadOf('SELECT 1 / 0'), dryRun: true });
    expect(last).toMatchObject({
      kind: 'plan',
      plan: { cap: { size: 8 }, statements: ['SELECT 1 / 0'] },
    });
    await expectNoSessionLeft();
  });
});

describe('ends', () => {
  test('a cancel in the middle closes everything, long statements included', async () => {
    const ending = new AbortController();
    const statement = 'SELECT pg_sleep(0.4)';
    const last = await probe(
      { workload: workloadOf(statement) },
      { signal: ending.signal, onEvent: onFirstProgress(() => ending.abort()) },
    );
    expect(last).toEqual({ kind: 'cancelled' });
    await expectNoSessionLeft();
  });

  test('a cancel before the start opens nothing', async () => {
    expect(await probe({}, { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled' });
  });

  test('killing the measuring process leaves no session', async () => {
    let pid = 0;
    const last = await probe(
      {},
      {
        onStart: (started) => (pid = started),
        onEvent: onFirstProgress(() => process.kill(pid, 'SIGKILL')),
      },
    );
    expect(last).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(/ended before its answer \(SIGKILL\)/) as string,
    });
    await expectNoSessionLeft();
  });

  test('killing the one who started it leaves neither process nor session', async () => {
    const parent = spawn(process.execPath, [probed.built.parentPath], {
      env: { ...process.env, PROBE_URL: probed.url, PROBE_PROCESS: probed.built.processPath },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line).split('\n')[0]);
    expect((await probed.probePids()).length).toBeGreaterThan(1);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    await expectNoSessionLeft();
  });

  test.each([
    ['a working connection', 'LIMIT 1'],
    ['the observing connection', 'OFFSET 8'],
  ])('losing %s ends the probe with a sentence, and closes the others', async (_, which) => {
    const kill = () =>
      probed.admin.query(
        `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database() ORDER BY backend_start DESC ${which}) AS one`,
      );
    const last = await probe({}, { onEvent: onFirstProgress(kill) });
    expect(last).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /^A connection ended in the middle of the probe.*was lost/,
      ) as string,
    });
    await expectNoSessionLeft();
  });

  test('a probe that keeps somebody waiting for its locks stops', async () => {
    let isOver = false;
    const statement = 'SELECT pg_advisory_xact_lock(9), pg_sleep(0.02)';
    const somebody = async () => {
      while (!isOver) await probed.admin.query('SELECT pg_advisory_xact_lock(9)');
    };
    const waiting: Promise<void>[] = [];
    const last = await probe(
      { workload: workloadOf(statement) },
      { onEvent: onFirstProgress(() => waiting.push(somebody())) },
    );
    isOver = true;
    await Promise.all(waiting);
    expect(last).toMatchObject({
      kind: 'failed',
      sentence: 'The probe stopped: 1 other session waited for a lock of its statement.',
    });
    await expectNoSessionLeft();
  });

  test('a statement that fails under load stops the probe and says how', async () => {
    await probed.admin.query(
      "CREATE FUNCTION fail_at_times() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF random() < 0.3 AND (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()) > 3 THEN RAISE EXCEPTION 'no' USING ERRCODE = '22012'; END IF; PERFORM pg_sleep(0.002); RETURN 1; END $$",
    );
    expect(await probe({ workload: workloadOf('SELECT fail_at_times()') })).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(/\d+ % of its statements failed \(\d+ × 22012\)/) as string,
    });
    await expectNoSessionLeft();
  });
});

test.each<readonly [string, Partial<SizeRequest>, RegExp]>([
  ['a write', { workload: workloadOf('DELETE FROM users') }, /writes \(DELETE\)/],
  ['a missing table', { workload: workloadOf('SELECT * FROM nowhere') }, /does not run.*nowhere/],
  ['a function that writes', { workload: workloadOf('SELECT lo_create(0)') }, /large objects/],
  [
    'a statement that is too slow',
    { workload: workloadOf('SELECT pg_sleep(0.7)') },
    /takes (?:7|8|9)\d\d ms, too long/,
  ],
  [
    'a wrong password',
    { secret: new Secret('wrong-password-of-the-test') },
    /refused the password/,
  ],
])('refuses %s with a sentence', async (_, change, sentence) => {
  const last = await probe(change);
  expect(last).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(sentence) as string,
  });
  expect(JSON.stringify(last)).not.toContain('wrong-password-of-the-test');
});

test('the read-only session stops a write that hides in a function', async () => {
  await probed.admin.query(
    'CREATE TABLE written (n int); CREATE FUNCTION write_it() RETURNS int LANGUAGE sql AS $$ INSERT INTO written VALUES (1) RETURNING n $$',
  );
  expect(await probe({ workload: workloadOf('SELECT write_it()') })).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/read-only transaction/) as string,
  });
});

test('refuses a database that calls itself production, unless told that it is known', async () => {
  await probed.admin.query(
    "CREATE TABLE ar_internal_metadata (key text, value text); INSERT INTO ar_internal_metadata VALUES ('environment', 'production')",
  );
  expect(await probe({ dryRun: true })).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(/ar_internal_metadata.*--i-know/) as string,
  });
  expect(await probe({ dryRun: true, iKnow: true })).toMatchObject({ kind: 'plan' });
});
