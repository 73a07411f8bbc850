import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/database/secret.ts';
import { workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult, VerdictKind } from '../../src/probe/result.ts';
import {
  onFirstProgress,
  startProbedDatabase,
  type ProbedDatabase,
} from '../support/probed-database.ts';

let probed: ProbedDatabase;
const probe: ProbedDatabase['probe'] = (...given) => probed.probe(...given);
const expectNoSessionLeft: ProbedDatabase['expectNoSessionLeft'] = () =>
  probed.expectNoSessionLeft();

beforeAll(async () => {
  probed = await startProbedDatabase();
});

afterAll(() => probed.stop());

async function probeForResult(change: Partial<SizeRequest>): Promise<SizeResult> {
  const last = await probe(change);
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  return last.result;
}

/** The verdict that follows from the size that was measured, for a statement with a bottleneck of that kind. */
function judgeAgain({ goodSize, cap }: SizeResult, bottleneck: VerdictKind): VerdictKind {
  if (goodSize === null) return 'too-noisy';
  return goodSize === cap.size ? 'not-saturated' : bottleneck;
}

describe('answers', () => {
  test('a size that a real pool confirms', async () => {
    // Two sizes are told apart on any machine, if there is time for it; a quiet one needs a second.
    const { verdict, goodSize, recommendation, sizes, slices, rounds, validation, errors } =
      await probeForResult({
        workload: workloadOf('SELECT pg_sleep(0.005)'),
        max: 2,
        seconds: 60,
        validate: true,
      });
    expect(sizes.map(({ size }) => size)).toEqual([1, 2]);
    expect(sizes.every(({ slices: own }) => own >= 3)).toBe(true);
    expect(new Set(slices.map(({ round }) => round)).size).toBe(rounds);
    expect({
      errors,
      kinds: goodSize === 2 ? ['not-saturated'] : ['found', 'client-bound', 'host-bound'],
    }).toEqual({ errors: {}, kinds: expect.arrayContaining([verdict.kind]) as string[] });
    const max = goodSize ?? 0;
    expect(recommendation).toMatchObject({
      max,
      interval: [expect.any(Number), expect.any(Number)],
    });
    expect(validation).toMatchObject({
      max,
      closed: { callers: 4 * max, load: { peakWaiting: 3 * max, errors: {} } },
    });
    const { database, wait, requests } = validation?.closed?.load ?? {};
    expect([database?.count, wait?.count]).toEqual([requests, requests]);
    expect(database?.averageMs).toBeGreaterThanOrEqual(5);
    expect(wait?.maxMs).toBeGreaterThan(0);
    await expectNoSessionLeft();
  });

  test('one of many locks, taken at random, is held by a statement at a time', async () => {
    const result = await probeForResult({
      workload: workloadOf(
        'SELECT pg_advisory_xact_lock(420 + (random() * 3)::int), pg_sleep(0.003)',
      ),
      max: 8,
      seconds: 12,
    });
    expect(result.errors).toEqual({});
    await expectNoSessionLeft();
  });

  test('that of a statement which holds a lock is bound by the lock, wherever its curve goes flat', async () => {
    const result = await probeForResult({
      workload: workloadOf('SELECT pg_advisory_xact_lock(1), pg_sleep(0.005)'),
      max: 4,
      seconds: 12,
    });
    expect(result.verdict.kind).toBe(judgeAgain(result, 'lock-bound'));
    expect(result.recommendation === null).toBe(result.goodSize === null);
    await expectNoSessionLeft();
  });

  test('events come in order: a plan, progress that rises, one last', async () => {
    const events: ProbeEvent[] = [];
    const last = await probe({ max: 2 }, { onEvent: (event) => events.push(event) });
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
  test('a cancel in the middle closes everything, statements that would go on included', async () => {
    const ending = new AbortController();
    await probed.brake(3);
    const running = probe(
      { workload: workloadOf(probed.brakedStatement) },
      { signal: ending.signal },
    );
    await expect
      .poll(async () => (await probed.probePids()).length, { interval: 10 })
      .toBeGreaterThan(3);
    await expect
      .poll(
        async () => (await probed.probePids("state = 'active' AND query LIKE '%braked()%'")).length,
        { interval: 10 },
      )
      .toBeGreaterThan(0);
    ending.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    await expectNoSessionLeft();
    await probed.letGo();
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

  test.each([
    ['a working connection', 'LIMIT 1'],
    ['the observing connection', 'OFFSET 8'],
  ])('losing %s ends the probe with a sentence, and closes the others', async (_, which) => {
    const kill = () =>
      probed.admin.query(
        `SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database() ORDER BY backend_start DESC ${which}) AS one`,
      );
    const last = await probe({ seconds: 60 }, { onEvent: onFirstProgress(kill) });
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
      { workload: workloadOf(statement), max: 4, seconds: 60 },
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
      "CREATE FUNCTION fail_in_crowds() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()) > 3 THEN RAISE EXCEPTION 'no' USING ERRCODE = '22012'; END IF; PERFORM pg_sleep(0.002); RETURN 1; END $$",
    );
    expect(await probe({ workload: workloadOf('SELECT fail_in_crowds()') })).toMatchObject({
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
  // By the quick clock half a second or more.
  [
    'a statement that is too slow',
    { workload: workloadOf('SELECT pg_sleep(0.15)') },
    /takes \d{3,} ms, too long/,
  ],
  [
    'a wrong password',
    { secret: new Secret('wrong-password-of-the-test') },
    /Password authentication failed/,
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
