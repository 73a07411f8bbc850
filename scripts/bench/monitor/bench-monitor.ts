import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startEmbeddedServer } from '../../embedded-server.ts';
import type { Bench } from '../bench.ts';
import { spreadOf, type Row } from '../figures.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sliceMs = 500;
const slicesPerRound = 12;
const warmUpMs = 3_000;

/** The same application three times: alone, watched, and watched without stacks. */
const variants = { alone: null, stacks: {}, bare: { POOLGUARD_STACKS: 'off' } } as const;
type Variant = keyof typeof variants;
const names = Object.keys(variants) as readonly Variant[];

interface Slice {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

type Slices = Readonly<Record<Variant, Slice>>;

/** What the monitor takes of `pool.query`, in slices of half a second that the three applications work in turn. */
export async function benchMonitor(bench: Bench): Promise<readonly Row[]> {
  const server = await startEmbeddedServer();
  const applications = await Promise.all(
    names.map(async (name) => [name, await start(server.url(), variants[name])] as const),
  );
  try {
    for (const [, application] of applications) await work(application, warmUpMs * bench.scale);
    const rounds: Slices[] = [];
    const wanted = Math.ceil(bench.rounds * slicesPerRound * bench.scale);
    while (rounds.length < wanted) {
      bench.progress(`monitor: slice ${rounds.length + 1} of ${wanted}`);
      rounds.push(await workInTurn(applications));
    }
    return toRows(rounds);
  } finally {
    for (const [, application] of applications) application.disconnect();
    await server.stop();
  }
}

async function start(
  url: string,
  variables: Readonly<Record<string, string>> | null,
): Promise<ChildProcess> {
  const watched =
    variables === null ? [] : ['--import', pathToFileURL(join(root, 'dist/pool-watch.cjs')).href];
  const child = fork(join(root, 'scripts/bench/monitor/application.mjs'), [url], {
    execArgv: watched,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

async function work(application: ChildProcess, milliseconds: number): Promise<Slice> {
  const done = once(application, 'message');
  application.send(milliseconds);
  const [slice] = (await done) as [Slice];
  return slice;
}

/** In another order each time, so that what the machine does besides falls on all of them. */
async function workInTurn(
  applications: readonly (readonly [Variant, ChildProcess])[],
): Promise<Slices> {
  const slices: Partial<Record<Variant, Slice>> = {};
  const order = applications
    .map((application) => ({ application, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place);
  for (const {
    application: [name, child],
  } of order)
    slices[name] = await work(child, sliceMs);
  return slices as Slices;
}

const method =
  '20 callers ask a pool of 10 for `SELECT 1`, so the application is the limit. Three processes of the same application work half a second each in turn, in random order; each figure compares slices of the same turn.';

function toRows(rounds: readonly Slices[]): readonly Row[] {
  const group = 'monitor';
  const lost = (variant: Variant) =>
    spreadOfMiddle(
      rounds.map(
        ({ alone, ...rest }) =>
          100 * (1 - (variant === 'alone' ? alone : rest[variant]).perSecond / alone.perSecond),
      ),
    );
  const added = (variant: Variant) =>
    spreadOf(
      rounds.map((round) => round[variant].cpuMicroseconds - round.alone.cpuMicroseconds),
    ).median.toFixed(1);
  const usual = spreadOf(rounds.map(({ alone }) => alone.perSecond)).median.toFixed(0);
  return [
    {
      group,
      name: 'throughput of pool.query that the monitor takes',
      unit: '%',
      value: lost('stacks'),
      goal: 3,
      note: `of ${usual} queries a second; ${added('stacks')} µs of processor time a query`,
      method,
    },
    {
      group,
      name: 'the same without stacks',
      unit: '%',
      value: lost('bare'),
      goal: 1,
      note: `${added('bare')} µs of processor time a query`,
    },
  ];
}

/** The extremes of short slices say what else the machine did: the middle half is told. */
function spreadOfMiddle(values: readonly number[]): ReturnType<typeof spreadOf> {
  const sorted = values.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  return {
    ...spreadOf(sorted.slice(quarter, sorted.length - quarter)),
    median: spreadOf(sorted).median,
  };
}
