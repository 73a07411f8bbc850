import { median } from 'simple-statistics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { measureStatement, type MeasureStatementOptions } from '../../scripts/bench/probe/measure-statement.ts';
import type { Slice } from '../../src/probe/size/slice.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(() => database.drop());

async function measure(options: Pick<MeasureStatementOptions, 'url' | 'sql'>) {
  const { end } = await measureStatement({ ...options, serverUrl: database.url, max: 12, seconds: 8 });
  if (end.kind !== 'decided') throw new Error(JSON.stringify(end));
  const { slices } = end.evidence;
  // Other tests may keep the machine busy: hardly a core idle means gaps between statements, which further clients fill.
  return { decision: end.decision, slices, isBusy: median(slices.map(({ load }) => load.idleCores)) < 0.5 };
}

/** Geometric mean of the throughput of a size. */
function throughputOf(slices: readonly Slice[], size: number): number {
  const own = slices.filter((slice) => slice.size === size);
  return Math.exp(own.reduce((sum, { throughput }) => sum + Math.log(throughput), 0) / own.length);
}

test('the size of a pooler\'s pool is found from outside', async () => {
  await using pooler = await startPgBouncer(database.url, 4);
  const { decision, slices, isBusy } = await measure({ url: pooler.url, sql: 'SELECT pg_sleep(0.02)' });
  // What the pooler does is certain on any machine: four at a time, however many ask.
  expect(throughputOf(slices, 12)).toBeLessThan(4.2 / 0.02);
  expect(throughputOf(slices, 2)).toBeLessThan(2.1 / 0.02);
  expect(isBusy ? ['found', 'inconclusive'] : ['found']).toContain(decision.kind);
  if (isBusy || decision.kind === 'inconclusive') return;
  expect(decision.estimate.pick).toBeGreaterThanOrEqual(4);
  expect(decision.estimate.pick).toBeLessThanOrEqual(5);
});

test('a lock lets one or two work, and the reason is told', async () => {
  const { decision, isBusy } = await measure({ url: database.url, sql: 'SELECT pg_advisory_xact_lock(4), pg_sleep(0.015)' });
  expect(isBusy ? ['found', 'inconclusive'] : ['found']).toContain(decision.kind);
  if (isBusy || decision.kind === 'inconclusive') return;
  expect(decision.verdict).toMatchObject({ kind: 'lock-bound', because: expect.stringContaining('Lock: advisory') as string });
  expect(decision.estimate.pick).toBeLessThanOrEqual(2);
});
