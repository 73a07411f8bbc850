import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sizeDefaults, type WorkloadRequest, workloadOf } from '../../../src/probe/request.ts';
import type { SizeResult } from '../../../src/probe/result.ts';
import { compareWithBaseline } from '../../../src/probe/baseline/compare-with-baseline.ts';
import { runProbe } from '../../../src/probe/run-probe.ts';
import { createRandom } from '../../../src/probe/random.ts';
import { formats } from '../../../src/report/formats.ts';
import { accessTo } from '../../support/access-to.ts';
import { expectFigures } from '../../support/figures.ts';
import { createOwnedDatabase, type OwnedDatabase } from '../../support/owned-database.ts';
import { startPgBouncer } from '../../support/pgbouncer.ts';
import { buildProbe, type BuiltProbe } from '../../support/probe-process.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import {
  comparedFigures,
  type LoopWorld,
  type MixedLoop,
  probeFigures,
  type ProbeWorld,
} from './probe-figures.ts';

const max = 8;
const backends = 3;
const maxClients = 80;
const sleepMs = 10;
const sleep = 'SELECT pg_sleep(0.01)';
/** One at a time: a limit of the server, as three backends are one of the pooler. */
const locked = 'SELECT pg_advisory_xact_lock(41), pg_sleep(0.01)';

let database: OwnedDatabase;
let built: BuiltProbe;

beforeAll(async () => {
  [database, built] = await Promise.all([createOwnedDatabase(), buildProbe()]);
});

afterAll(async () => {
  await Promise.all([database[Symbol.asyncDispose](), built.remove()]);
});

async function probe(
  url: string,
  workload: WorkloadRequest,
): Promise<{ result: SizeResult; elapsedMs: number }> {
  const started = performance.now();
  const last = await runProbe<'size'>(
    { ...sizeDefaults, ...accessTo(url), workload, max, allowProduction: true },
    {
      signal: new AbortController().signal,
      onEvent: () => undefined,
      processPath: built.processPath,
    },
  );
  if (last.kind !== 'result') throw new Error(JSON.stringify(last));
  return { result: last.result, elapsedMs: performance.now() - started };
}

/** What an application does: a plain pool, four callers a client, for so long. */
async function loopOver(url: string, sql: string, size: number): Promise<LoopWorld> {
  const pool = new pg.Pool({ connectionString: url, max: size });
  const times: { readonly answer: number; readonly wait: number; readonly statement: number }[] =
    [];
  await pool.query(sql);
  const started = performance.now();
  const call = async () => {
    while (performance.now() - started < 2_500) {
      const asked = performance.now();
      const client = await pool.connect();
      const got = performance.now();
      await client.query(sql);
      const done = performance.now();
      client.release();
      times.push({ answer: done - asked, wait: got - asked, statement: done - got });
    }
  };
  await Promise.all(Array.from({ length: 4 * size }, call));
  const seconds = (performance.now() - started) / 1_000;
  await pool.end();
  return {
    perSecond: times.length / seconds,
    answers: times.map(({ answer }) => answer),
    waits: times.map(({ wait }) => wait),
    statements: times.map(({ statement }) => statement),
  };
}

/** Transactions per second of pgbench; of as many clients of the driver, one statement after the other, where there is no pgbench. */
async function benchWith(url: string, sql: string, clients: number): Promise<number> {
  await using folder = await createTemporaryFolder();
  const script = join(folder.path, 'statement.sql');
  await writeFile(script, `${sql};\n`);
  const { hostname, port, username, password, pathname } = new URL(url);
  const args = ['-n', '-M', 'simple', '-c', String(clients), '-T', '1', '-f', script];
  const place = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)];
  try {
    const { stdout } = await promisify(execFile)('pgbench', [...args, ...place], {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
    });
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return runClients(url, sql, clients);
    throw error;
  }
}

async function runClients(url: string, sql: string, clients: number): Promise<number> {
  const started = performance.now();
  const counts = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      let count = 0;
      for (; performance.now() - started < 1_000; count += 1) await client.query(sql);
      await client.end();
      return count;
    }),
  );
  return (1_000 * counts.reduce((sum, each) => sum + each, 0)) / (performance.now() - started);
}

async function smallestGood(url: string, sql: string): Promise<number> {
  const peak = await benchWith(url, sql, max);
  for (let size = 1; size < max; size += 1)
    if ((await benchWith(url, sql, size)) >= 0.9 * peak) return size;
  return max;
}

/** Private pages of a backend that has run the statement, without those of shared memory. */
async function memoryOf(client: pg.Client, sql: string): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  await client.query(sql);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const mappings = readFileSync(`/proc/${rows[0]?.pid}/smaps`, 'latin1').split(
    /^(?=[0-9a-f]+-[0-9a-f]+ )/m,
  );
  const kilobytes = mappings
    .filter((mapping) => !/^\S+ ...s /.test(mapping))
    .flatMap((mapping) => /^Private_Dirty:\s+(\d+)/m.exec(mapping)?.[1] ?? []);
  return kilobytes.reduce((sum, digits) => sum + Number(digits), 0) * 1024;
}

async function worldOf(
  url: string,
  sql: string,
  pooler: ProbeWorld['pooler'],
  elapsedMs: number,
): Promise<ProbeWorld> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  const ask = async (text: string) =>
    Number((await client.query<{ value: string }>(`SELECT (${text}) AS value`)).rows[0]?.value);
  const found = await smallestGood(url, sql);
  const world: ProbeWorld = {
    max,
    elapsedMs,
    port: Number(new URL(url).port),
    cores: availableParallelism(),
    maxConnections: await ask(`current_setting('max_connections')`),
    reserved: await ask(
      `current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true), '0')::int`,
    ),
    workMemBytes: await ask(`pg_size_bytes(current_setting('work_mem'))`),
    others: 0,
    memoryBytes: await memoryOf(client, sql),
    pooler,
    found,
    loop: await loopOver(url, sql, found),
    pgbench: { one: await benchWith(url, sql, 1), found: await benchWith(url, sql, found) },
    sleepMs,
  };
  await client.end();
  return world;
}

test.each([
  { name: 'directly', sql: locked, pooler: null },
  { name: 'through PgBouncer', sql: sleep, pooler: { size: backends, maxClients } },
])(
  '$name every figure is what pgbench, psql, /proc and a plain pool say',
  async ({ sql, pooler }) => {
    await using bouncer =
      pooler === null
        ? null
        : await startPgBouncer(database.url, backends, {
            settings: { max_client_conn: maxClients, stats_users: new URL(database.url).username },
          });
    const url = bouncer?.url ?? database.url;
    const { result, elapsedMs } = await probe(url, workloadOf(sql));
    const world = await worldOf(url, sql, pooler, elapsedMs);
    const isOfRun = (figure: string) => pooler !== null || !/pooler|line/.test(figure);
    expectFigures(result, probeFigures, world, isOfRun);
    const real = result.validation?.closed?.load.throughput ?? NaN;
    expect(real / world.loop.perSecond).toBeGreaterThan(0.5);
    expect(real / world.pgbench.found).toBeGreaterThan(0.4);
    expect(real / world.pgbench.found).toBeLessThan(2);
    expect(result.verdict.because).toMatch(
      /^A real pool of \d+ in one Node process does [\d.,]+ statements\/s\. The curve models /,
    );
    const text = formats.terminal.write(result, { isColored: false, columns: null });
    if (result.verdict.kind === 'pooler-bound') expect(text).not.toMatch(/binds/);
    expect(text).not.toContain('asked for;');
    const [left] = /The server has (\d+) connections for them/.exec(text)?.slice(1) ?? [];
    const [perPool] = result.limits.limits.filter(({ kind }) => kind === 'max_connections');
    if (perPool !== undefined) expect(Number(left)).toBe(perPool.perPool);
  },
);

/** So many clients, each of which sends one of the statements at random and then the next. */
async function mixedLoop(statements: readonly string[], clients: number): Promise<MixedLoop> {
  const times: number[][] = statements.map(() => []);
  const random = createRandom(clients);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      while (performance.now() - started < 2_500) {
        const at = Math.floor(random() * statements.length);
        const sent = performance.now();
        await client.query(statements[at] ?? '');
        times[at]?.push(performance.now() - sent);
      }
      await client.end();
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  return { clients, perSecond: times.flat().length / seconds, times };
}

test('of two statements, and beside an earlier run: every figure is what a loop over plain clients says', async () => {
  const statements = [sleep, `${locked}, pg_sleep(0.02)`];
  const workload: WorkloadRequest = {
    kind: 'statements',
    statements: statements.map((text) => ({ text, weight: 1, parameters: [] })),
  };
  const { result: before } = await probe(database.url, workload);
  const { result } = await probe(database.url, workload);
  const comparison = compareWithBaseline(before, result, createRandom(1));
  const loops: MixedLoop[] = [];
  for (const { size } of result.sizes) loops.push(await mixedLoop(statements, size));
  const { paired, baseline, now } = comparison;
  const of = (size: number | undefined) => loops.find(({ clients }) => clients === size)?.perSecond;
  const best = Math.max(...loops.map(({ perSecond }) => perSecond));
  const share = (size: number | null) => (size === null ? null : (of(nearest(size)) ?? NaN) / best);
  const nearest = (size: number) =>
    loops.reduce(
      (near, { clients }) => (Math.abs(clients - size) < Math.abs(near - size) ? clients : near),
      Infinity,
    );
  const named = (picked: typeof now) => ({
    ...picked,
    size: share(picked.size),
    max: share(picked.max),
    interval: picked.interval?.map(share) ?? null,
  });
  if (paired !== null) expect(paired.rounds).toBeLessThanOrEqual(result.rounds);
  const unnamed = Object.entries({ baseline, now, paired })
    .filter(([, each]) => each === null || each.size === null)
    .map(([which]) => `comparison.${which}.`);
  const { statementLoads } = result;
  expectFigures(
    {
      statementLoads: statementLoads && { ...statementLoads, from: share(statementLoads.from) },
      comparison: {
        ...comparison,
        baseline: named(baseline),
        now: named(now),
        paired: paired && {
          ...paired,
          rounds: null,
          size: share(paired.size),
          against: share(paired.against),
        },
      },
    },
    comparedFigures,
    {
      loops,
      ratio: (of(paired?.size) ?? NaN) / (of(paired?.against) ?? NaN),
      statements: statements.length,
      shared: result.sizes
        .map(({ size }) => size)
        .filter((size) => before.sizes.some((other) => other.size === size)),
    },
    (figure) => !unnamed.some((start) => figure.startsWith(start)),
  );
  expect(result.statementLoads?.binding?.because).toContain('pg_advisory_xact_lock');
});
