import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../scripts/embedded-server.ts';
import { readResult } from '../../../src/probe/saved/read-result.ts';
import { findContradictions } from '../../../src/sweep/contradictions.ts';
import { busiestQuarter } from '../../../src/sweep/load/load-tool.ts';
import type { SweepResult } from '../../../src/sweep/sweep-result.ts';
import { expectFigures } from '../../support/figures.ts';
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-database.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { type SizeWorld, sweepFigures, type SweepWorld } from './sweep-figures.ts';

const root = join(import.meta.dirname, '../../..');
const asked = { users: 12, seconds: 3, thinkMs: 5 };
const sizes = [1, 4];
const passes = 2;

let database: FreshDatabase;

beforeAll(async () => {
  database = await createFreshDatabase();
});

afterAll(() => database.drop());

interface Notes {
  readonly max: number;
  readonly requests: readonly {
    readonly askedAt: number;
    readonly acquiredAt: number;
    readonly releasedAt: number;
    readonly doneAt: number;
    readonly waiting: number;
  }[];
  readonly cores: readonly number[];
}

/** The last requests that a service noted are those of the load; those before them only warmed it up. */
function sizeOf(max: number, notes: readonly Notes[], counted: readonly number[]): SizeWorld {
  const runs = notes
    .filter((each) => each.max === max)
    .map(({ requests, cores }, index) => ({ all: requests.slice(-(counted[index] ?? 0)), cores }));
  const all = runs.flatMap((run) => run.all);
  const seconds = runs.map(({ all: [first, ...rest] }) => {
    const doneAt = Math.max(...rest.map((each) => each.doneAt));
    return (doneAt - (first?.askedAt ?? 0)) / 1_000;
  });
  const busyMs = all.reduce((sum, each) => sum + each.releasedAt - each.acquiredAt, 0);
  const total = seconds.reduce((sum, each) => sum + each, 0);
  return {
    max,
    passes: runs.map((run) => run.all.length),
    seconds: total / runs.length,
    answers: all.map(({ askedAt, doneAt }) => doneAt - askedAt),
    waits: all.map(({ askedAt, acquiredAt }) => acquiredAt - askedAt),
    holds: all.map(({ acquiredAt, releasedAt }) => releasedAt - acquiredAt),
    peakWaiting: Math.max(...all.map(({ waiting }) => waiting)),
    active: busyMs / 1_000 / total,
    cores: runs.reduce((sum, { cores }) => sum + (busiestQuarter(cores) ?? 0), 0) / runs.length,
  };
}

/** Cores that a process used since it was asked before; null where there is no `/proc`. */
function meterOf(pid: number): () => number {
  let before = { ticks: 0, at: performance.now() };
  return () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const now = { ticks: Number(fields[11]) + Number(fields[12]), at: performance.now() };
    const cores = ((now.ticks - before.ticks) * 10) / (now.at - before.at);
    before = now;
    return cores;
  };
}

/** "(100 − 3 reserved − 10 for administration) / 1 pools = 87", worked out again. */
function workOut(arithmetic: string): number {
  const [left = ''] = arithmetic.split(' = ');
  const [difference = '', pools = '1'] = left.split(' / ');
  const [first = NaN, ...others] = difference
    .split('−')
    .map((part) => Number(/\d+/.exec(part)?.[0]));
  return Math.floor(others.reduce((rest, part) => rest - part, first) / Number.parseInt(pools, 10));
}

test('every figure of a sweep is what the service under load notes down itself', async () => {
  await using folder = await createTemporaryFolder();
  const [output, file] = [join(folder.path, 'sweep.json'), join(folder.path, 'notes.jsonl')];
  const port = await findFreePort();
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(root, 'dist/cli.js'),
      ...['sweep', '--start', `"${process.execPath}" test/fixtures/figures-app.mjs`],
      ...['--url', `http://127.0.0.1:${port}/`, '--env', 'POOL_MAX', '--yes', '--output', output],
      ...['--sizes', sizes.join(','), '--passes', String(passes), '--users', String(asked.users)],
      ...['--seconds', String(asked.seconds), '--think', String(asked.thinkMs)],
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: folder.path,
        DATABASE_URL: database.url,
        PORT: String(port),
        FIGURES_FILE: file,
      },
    },
  );
  const meter = meterOf(child.pid ?? 0);
  const generator: number[] = [];
  const metering = setInterval(() => generator.push(meter()), 500);
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  clearInterval(metering);
  const elapsedMs = performance.now() - started;
  const read = readResult(readFileSync(output, 'utf8'), 'sweep.json');
  if (read.kind === 'refused' || read.result.experiment !== 'sweep')
    throw new Error(`No result. ${stderr}`);
  const result: SweepResult = read.result;
  const notes = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Notes);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ max_connections: string }>('SHOW max_connections');
  await client.end();
  const best = Math.max(...result.rows.map((row) => row.requests));
  const world: SweepWorld = {
    asked,
    sizes: result.rows.map((row) => sizeOf(row.max, notes, row.passes)),
    elapsedMs,
    cores: availableParallelism(),
    generatorCores: busiestQuarter(generator) ?? 0,
    limit: {
      value: Number(rows[0]?.max_connections),
      perPool: workOut(result.limits[0]?.arithmetic ?? ''),
    },
    pick:
      result.pick === null
        ? []
        : result.rows
            .filter((row) => row.requests >= best * 0.9)
            .slice(0, 1)
            .map(({ max }) => max),
  };
  expect(result.rows.map(({ errors }) => errors)).toEqual([{}, {}]);
  expectFigures(result, sweepFigures, world);
  expect(findContradictions(result)).toEqual([]);
});
