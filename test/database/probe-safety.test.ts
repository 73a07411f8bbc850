import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe, type RunProbeOptions } from '../../src/probe/run-probe.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { isRunning } from '../support/is-running.ts';
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

function makeRequest(change: Partial<SizeRequest> = {}, url = database.url): SizeRequest {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return { ...sizeDefaults, target: parsed.target, secret: parsed.secret, max: 8, seconds: 5, validate: false, ...change };
}

function probe(change: Partial<SizeRequest> = {}, options: Partial<RunProbeOptions<SizeResult>> = {}): Promise<ProbeEvent<SizeResult>> {
  return runProbe(makeRequest(change), { signal: new AbortController().signal, onEvent: () => undefined, processPath: built.processPath, ...options });
}

const ofProbes = "FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database()";

async function countSessions(condition = 'true'): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(`SELECT count(*)::int AS count ${ofProbes} AND ${condition}`);
  return rows[0]?.count ?? 0;
}

async function expectNoSessionLeft(withinMs = 5000): Promise<void> {
  await expect.poll(() => countSessions(), { timeout: withinMs, interval: 50 }).toBe(0);
}

/** Waits for a moment of a probe, as the server or its events show it. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(condition, { interval: 10 }).toBe(true);
}

afterEach(() => expectNoSessionLeft());

describe('a cancel is answered within 300 ms, whatever the probe does', () => {
  const slow = workloadOf('SELECT pg_sleep(0.45)');
  const quick = workloadOf('SELECT pg_sleep(0.005)');

  test.each<readonly [string, Partial<SizeRequest>, (events: readonly ProbeEvent[]) => Promise<boolean> | boolean]>([
    ['starting', {}, () => true],
    ['timing a slow statement', { workload: slow }, async () => (await countSessions("state = 'active' AND query LIKE '%pg_sleep%'")) > 0],
    ['waiting for its plan to be agreed to', {}, (events) => events.some(({ kind }) => kind === 'plan')],
    ['connecting', { workload: quick, max: 32 }, async () => (await countSessions()) > 3],
    ['measuring', { workload: slow }, (events) => events.some(({ kind }) => kind === 'progress')],
    ['checking with a real pool', { workload: quick, validate: true, max: 4 }, (events) => events.some((event) => event.kind === 'progress' && event.doing.startsWith('a real pool'))],
  ])('%s', async (phase, change, hasCome) => {
    const ending = new AbortController();
    const events: ProbeEvent[] = [];
    let pid = 0;
    const isHeldUp = phase.startsWith('waiting');
    const running = probe(change, {
      signal: ending.signal,
      onStart: (started) => (pid = started),
      onEvent: (event) => events.push(event),
      ...(isHeldUp && { confirm: () => new Promise<boolean>(() => undefined) }),
    });
    await until(() => hasCome(events));
    const asked = performance.now();
    ending.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(performance.now() - asked).toBeLessThan(300);
    await expect.poll(() => isRunning(pid), { timeout: 3500 }).toBe(false);
  });
});
