import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeCompare } from '../../src/probe/compare/judge-compare.ts';
import { conductProbe } from '../../src/probe/conduct-probe.ts';
import { judgeConnect } from '../../src/probe/connect/judge-connect.ts';
import { judgeRamp } from '../../src/probe/ramp/judge-ramp.ts';
import { rampCellMs } from '../../src/probe/ramp/ramp-cells.ts';
import { createRandom } from '../../src/probe/random.ts';
import {
  commonDefaults,
  workloadOf,
  type CommonRequest,
  type ProbeRequest,
} from '../../src/probe/request.ts';
import type { ProbeEvent, ProbeResult } from '../../src/probe/result.ts';
import { judgeUsers } from '../../src/probe/users/judge-users.ts';
import { accessTo } from '../support/access-to.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import { createQuickTime } from '../support/quick-clock.ts';

let database: FreshDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await createFreshDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await database.drop();
});

function common(sql: string, change: Partial<CommonRequest> = {}): CommonRequest {
  return {
    ...commonDefaults,
    ...accessTo(database.ownerUrl),
    workload: workloadOf(sql),
    max: 8,
    ...change,
  };
}

async function conduct(
  request: ProbeRequest,
  {
    signal = new AbortController().signal,
    onEvent = () => undefined,
  }: { signal?: AbortSignal; onEvent?: (event: ProbeEvent) => void } = {},
): Promise<ProbeEvent> {
  return conductProbe(request, {
    emit: onEvent,
    signal,
    enough: new AbortController().signal,
    ...createQuickTime(5),
    random: createRandom(7),
    environment: {},
    probeId: 'tested',
    startedAt: new Date().toISOString(),
    confirm: () => Promise.resolve(true),
  });
}

async function resultOf<Kind extends ProbeRequest['experiment']>(
  request: Extract<ProbeRequest, { experiment: Kind }>,
): Promise<Extract<ProbeResult, { experiment: Kind }>> {
  const last = await conduct(request);
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  return last.result as Extract<ProbeResult, { experiment: Kind }>;
}

async function openSessions(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()",
  );
  return rows[0]?.count ?? -1;
}

const sleep = 'SELECT pg_sleep(0.01)';

// Which number wins, tables of the judges say; here each judges what was measured.

test('users: nobody waits where there is a client for each, and the queue of the others is seen', async () => {
  const { rows, verdict, pick, partial } = await resultOf({
    ...common(sleep),
    experiment: 'users',
    sizes: [8, 2, 64],
    thinkMs: 0,
    stages: [
      { seconds: 0.1, users: 8 },
      { seconds: 0.7, users: 8 },
    ],
  });
  expect(rows.map(({ max }) => max)).toEqual([2, 8]);
  const [two, eight] = rows;
  expect(two?.load.peakWaiting).toBe(6);
  expect(eight?.load.peakWaiting).toBe(0);
  expect([two, eight].every((row) => (row?.load.requests ?? 0) > 0)).toBe(true);
  expect(eight?.samples.some(({ total, waiting }) => total === 8 && waiting === 0)).toBe(true);
  expect({ verdict, pick, partial }).toEqual({
    ...judgeUsers(rows, { users: 8, thinkMs: 0 }),
    partial: null,
  });
  await expect.poll(openSessions).toBe(0);
});

test('ramp: the size that is too small is told, with the cause of its losses', async () => {
  const asked = { rates: [4, 200], sizes: [1, 8], seconds: 4 };
  const { cells, inflections, verdict, partial } = await resultOf({
    ...common(sleep),
    experiment: 'ramp',
    waitLimitMs: 100,
    ...asked,
  });
  expect(partial).toBeNull();
  expect(cells.map(({ max, rate }) => [max, rate])).toEqual([
    [1, 4],
    [1, 200],
    [8, 4],
    [8, 200],
  ]);
  expect(inflections[0]).toMatchObject({ max: 1, rate: expect.any(Number) as number });
  const judged = judgeRamp(cells, rampCellMs(asked));
  expect({ inflections, kind: verdict.kind }).toEqual({
    inflections: judged.inflections,
    kind: judged.verdict.kind,
  });
  expect(Object.keys(cells[1]?.load.errors ?? {})).toEqual(['wait-timeout']);
  await expect.poll(openSessions).toBe(0);
});

test('compare: four ways by their answers a second, and new connections never beyond what the probe may open', async () => {
  let most = 0;
  let isOver = false;
  const look = async () => {
    while (!isOver) most = Math.max(most, await openSessions());
  };
  const comparing = resultOf({
    ...common(sleep, { max: 6 }),
    experiment: 'compare',
    callers: [4, 16],
    poolSize: 5,
    seconds: 8,
  }).finally(() => (isOver = true));
  const [{ rows, verdict, errors }] = await Promise.all([comparing, look()]);
  expect(
    rows
      .map(({ callers, strategy }) => `${callers} ${strategy}`)
      .filter((name, at, all) => name !== all[at - 1]),
  ).toEqual([
    '4 new-connection',
    '4 shared-client',
    '4 pool',
    '4 pipelined-client',
    '16 new-connection',
    '16 shared-client',
    '16 pool',
    '16 pipelined-client',
  ]);
  expect(most).toBeLessThanOrEqual(8);
  const at16 = rows.filter(({ callers }) => callers === 16);
  expect(at16.find(({ strategy }) => strategy === 'shared-client')).toMatchObject({
    connections: 1,
    load: { wait: null, peakWaiting: 15 },
  });
  expect(
    rows.every(({ eventLoop, load }) => eventLoop > 0 && eventLoop <= 1 && load.requests > 0),
  ).toBe(true);
  expect(verdict).toEqual(judgeCompare(rows));
  expect(verdict.because).toMatch(/^With 16 callers /);
  expect(errors).toEqual({});
  await expect.poll(openSessions).toBe(0);
});

test('connect: the phases of both ways, one after the other and at once', async () => {
  const times = 10;
  const measure = async () => {
    await using pooler = await startPgBouncer(database.ownerUrl, 4);
    return await resultOf({
      ...common(sleep),
      experiment: 'connect',
      pooler: accessTo(pooler.url),
      times,
      concurrent: 4,
      seconds: 60,
    });
  };
  const { paths, verdict, errors, workload, partial, notes } = await measure();
  expect({ errors, partial }, notes.join(' ')).toEqual({ errors: {}, partial: null });
  expect(paths.map(({ name }) => name)).toEqual(['direct', 'pooler']);
  for (const { sequential, concurrent } of paths) {
    const { phases, total } = sequential;
    expect(total?.count).toBe(times);
    expect(phases.tls).toBeUndefined();
    const sum = Object.values(phases).reduce((all, { averageMs }) => all + averageMs, 0);
    expect(Math.abs(sum - (total?.averageMs ?? 0))).toBeLessThan(0.01 + 0.01 * sum);
    expect(concurrent).toMatchObject({ at: 4, total: { count: times } });
    expect(concurrent.perSecond).toBeGreaterThan(0);
  }
  expect(verdict).toEqual(judgeConnect(paths));
  expect(verdict.because).toMatch(/^A new connection costs [\d.]+ ms on average, \d+ % of it for /);
  expect(workload.statements[0]?.text).toBe('SELECT 1');
  // The pooler took its own backends with it.
  await expect.poll(openSessions).toBe(0);
});

describe('ends', () => {
  const slowly = () => common('SELECT pg_sleep(0.05)');

  test.each<readonly [string, () => ProbeRequest]>([
    [
      'users',
      () => ({
        ...slowly(),
        experiment: 'users',
        sizes: [4],
        thinkMs: 0,
        stages: [{ seconds: 20, users: 20 }],
      }),
    ],
    [
      'ramp',
      () => ({
        ...slowly(),
        experiment: 'ramp',
        rates: [100],
        sizes: [4],
        waitLimitMs: 5000,
        seconds: 20,
      }),
    ],
    [
      'compare',
      () => ({ ...slowly(), experiment: 'compare', callers: [20], poolSize: 4, seconds: 60 }),
    ],
  ])('a cancel in the middle of %s ends it, and nothing stays open', async (_, makeRequest) => {
    const ending = new AbortController();
    const last = await conduct(makeRequest(), {
      signal: ending.signal,
      onEvent: ({ kind }) => kind === 'progress' && ending.abort(),
    });
    expect(last).toEqual({ kind: 'cancelled' });
    await expect.poll(openSessions).toBe(0);
  });

  test('what was measured before the statements began to fail is a partial result', async () => {
    await admin.query(
      "CREATE FUNCTION fail_in_crowds() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()) > 4 THEN RAISE EXCEPTION 'no' USING ERRCODE = '22012'; END IF; PERFORM pg_sleep(0.005); RETURN 1; END $$",
    );
    const { partial, cells, errors } = await resultOf({
      ...common('SELECT fail_in_crowds()'),
      experiment: 'ramp',
      rates: [100, 200],
      sizes: [2, 8],
      waitLimitMs: 1000,
      seconds: 4,
    });
    expect(partial).toMatch(/^The probe stopped: \d+ % of the requests failed \(\d+ × 22012\)\.$/);
    expect(cells.length).toBe(3);
    expect(errors['22012']).toBeGreaterThan(5);
    await expect.poll(openSessions).toBe(0);
  });

  test('sizes that the probe may not open are refused with the reason', async () => {
    expect(
      await conduct({
        ...common(sleep),
        experiment: 'ramp',
        rates: [10],
        sizes: [64],
        waitLimitMs: 1000,
      }),
    ).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /^None of the sizes 64 can be tried: this probe may open 8 connections \(as requested/,
      ) as string,
    });
  });
});
