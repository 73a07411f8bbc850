import { parseTarget } from '../../../src/database/target.ts';
import { sizeDefaults, workloadOf } from '../../../src/probe/request.ts';
import type { SizeResult } from '../../../src/probe/result.ts';
import { runProbe } from '../../../src/probe/run-probe.ts';
import { meanForeignCores } from '../../../src/probe/size/contention.ts';
import { startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { type Level, startLoad } from './beside-load.ts';
import { max, type Fixture } from './fixtures.ts';
import type { Run } from './score.ts';

export interface FixtureEnvironment {
  /** Of the server itself. */
  readonly url: string;
  /** `dist/probe.cjs`. */
  readonly processPath: string;
  /** What else the machine does. */
  readonly level: Level;
}

type Found = Pick<
  Run,
  'pick' | 'confidence' | 'interval' | 'verdict' | 'elapsedMs' | 'foreignCores'
>;

/** With the whole probe in its process, as a user would. */
export async function runFixture(
  fixture: Fixture,
  run: number,
  around: FixtureEnvironment,
): Promise<Run> {
  const found = await probeBesideLoad(fixture, around);
  const { pick, interval } = found;
  const { throughput } = fixture;
  const best = throughput === null ? 0 : throughput(max);
  return {
    ...found,
    fixture: fixture.name,
    run,
    level: around.level.name,
    isHeld: interval !== null && listBetween(interval).some((size) => fixture.isRight(size)),
    isRight: pick !== null && fixture.isRight(pick),
    regret: pick === null || throughput === null ? null : throughput(pick) / best,
  };
}

async function probeBesideLoad(fixture: Fixture, around: FixtureEnvironment): Promise<Found> {
  const load = startLoad(around.level);
  try {
    return fixture.poolSize === null
      ? await probe(fixture, around)
      : await probeThroughPooler(fixture, fixture.poolSize, around);
  } finally {
    load.stop();
  }
}

function listBetween([low, high]: readonly [number, number]): readonly number[] {
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

async function probe(
  { sql }: Fixture,
  { url, processPath }: Omit<FixtureEnvironment, 'level'>,
): Promise<Found> {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  const request = {
    ...sizeDefaults,
    target: parsed.target,
    secret: parsed.secret,
    workload: workloadOf(sql),
    max,
    allowProduction: true,
  };
  const last = await runProbe<'size'>(request, {
    signal: new AbortController().signal,
    onEvent: () => undefined,
    processPath,
  });
  if (last.kind !== 'result')
    throw new Error(last.kind === 'failed' ? last.sentence : `The probe ended with ${last.kind}.`);
  const { goodSize, recommendation, verdict, elapsedMs, slices }: SizeResult = last.result;
  return {
    pick: goodSize,
    confidence: recommendation?.confidence ?? null,
    interval: recommendation?.interval ?? null,
    verdict: verdict.kind,
    elapsedMs,
    foreignCores: meanForeignCores(slices),
  };
}

async function probeThroughPooler(
  fixture: Fixture,
  poolSize: number,
  { url, processPath }: FixtureEnvironment,
): Promise<Found> {
  await using pooler = await startPgBouncer(url, poolSize, {
    settings: { max_client_conn: 200, stats_users: new URL(url).username },
  });
  // Awaited here: the pooler ends with this function.
  return await probe(fixture, { url: pooler.url, processPath });
}
