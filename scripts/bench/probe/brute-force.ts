import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { shuffle } from 'simple-statistics';
import { createRandom } from '../../../src/probe/random.ts';
import { estimatePick } from '../../../src/probe/size/statistics.ts';
import { items } from './fixtures.ts';
import type { Slice } from '../../../src/probe/size/slice.ts';

/** What pgbench found by trying every size for seconds. */
export interface GroundTruth {
  readonly statement: string;
  readonly pick: number;
  readonly interval: readonly [number, number];
  readonly curve: readonly { readonly size: number; readonly throughput: number }[];
}

export interface BruteForceOptions {
  readonly url: string;
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly secondsEach: number;
  readonly scratch: string;
  readonly progress: (text: string) => void;
}

/** Every size in every round, in random order, so that a machine that grows slower slows all of them. */
export async function findByBruteForce(
  statement: string,
  { url, sizes, rounds, secondsEach, scratch, progress }: BruteForceOptions,
): Promise<GroundTruth> {
  const script = await writeScript(statement, scratch);
  const slices: Slice[] = [];
  const random = createRandom(1);
  for (let round = 0; round < rounds; round += 1) {
    for (const size of shuffle([...sizes], random)) {
      progress(`brute force: ${size} clients, round ${round + 1} of ${rounds}`);
      slices.push({
        round,
        size,
        throughput: await runPgbench({ url, script, size, seconds: secondsEach }),
        load: { cores: 1, eventLoop: 0, ownCores: 0, idleCores: 0, foreignCores: null },
      });
    }
  }
  const { pick, interval, curve } = estimatePick(slices, createRandom(1));
  return {
    statement,
    pick,
    interval,
    curve: curve.map(({ size, throughput }) => ({ size, throughput })),
  };
}

/** For pgbench, which draws the value of `$1` itself. */
export async function writeScript(statement: string, scratch: string): Promise<string> {
  const path = join(scratch, `statement-${Buffer.from(statement).toString('hex').slice(-24)}.sql`);
  await writeFile(
    path,
    `\\set item random(1, ${items})\n${statement.replaceAll('$1', ':item')};\n`,
  );
  return path;
}

const longestSeconds = 8;

/** Transactions per second of pgbench with one thread, without the time for connecting. Throws with what to do when there is no pgbench. */
export async function runPgbench({
  url,
  script,
  size,
  seconds,
  mode = 'prepared',
}: {
  url: string;
  script: string;
  size: number;
  seconds: number;
  /** Poolers before 1.21 keep no prepared statements. */
  mode?: 'prepared' | 'simple';
}): Promise<number> {
  const { username, password, hostname, port, pathname } = new URL(url);
  const args = [
    '-n',
    '-M',
    mode,
    '-j',
    '1',
    '-c',
    String(size),
    '-T',
    String(seconds),
    '-f',
    script,
    '-h',
    hostname,
    '-p',
    port,
    '-U',
    username,
    pathname.slice(1),
  ];
  const { stdout } = await promisify(execFile)('pgbench', args, {
    env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
  }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new Error(
        'pgbench is not in the PATH: install the PostgreSQL client tools (apt-get install postgresql-contrib, brew install libpq), or leave brute force out with --only.',
      );
    throw error;
  });
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
  // Its clock starts before it connects, and on a busy machine connecting may take all of a short time.
  if (tps === undefined && seconds < longestSeconds && stdout.includes('actually processed: 0'))
    return runPgbench({ url, script, size, seconds: 2 * seconds, mode });
  if (tps === undefined) throw new Error(`pgbench said no throughput: ${stdout.slice(-300)}`);
  return Number(tps);
}
