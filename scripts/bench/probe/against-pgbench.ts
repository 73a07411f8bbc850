import { shuffle } from 'simple-statistics';
import { createRandom } from '../../../src/probe/random.ts';
import { startPgBouncer } from '../../../test/support/pgbouncer.ts';
import { type Level, levels, undisturbed } from './beside-load.ts';
import { runPgbench, writeScript } from './brute-force.ts';
import { max, type Fixture } from './fixtures.ts';
import { runFixture } from './run-fixture.ts';
import { type Run, toLevelScore } from './score.ts';

/** A statement that sleeps, directly or behind so many backends, while others use the machine. */
export interface Case {
  /** Null connects directly. */
  readonly poolSize: number | null;
  readonly ms: number;
  readonly level: Level;
}

/** One probe of a case, beside what pgbench found. */
export interface Judged extends Run, Omit<Case, 'level'> {
  /** `dist/probe.cjs`, or another build of it. */
  readonly program: string;
  /** The sizes that pgbench calls right. */
  readonly truth: readonly number[];
}

const poolSizes = [null, ...Array.from({ length: 12 }, (_, index) => index + 1)];
const sleeps = [1, 2, 4, 10, 20, 50];

/** Every pooler, every statement and every level in a random order that is always the same: any number of them from the start is a fair sample. */
export function listCases(wanted: (level: Level) => boolean): readonly Case[] {
  const steady = levels.filter((level) => level === undisturbed || level.periodMs < 100);
  const all = poolSizes.flatMap((poolSize) =>
    sleeps.flatMap((ms) => steady.map((level) => ({ poolSize, ms, level }))),
  );
  return shuffle(all, createRandom(7)).filter(({ level }) => wanted(level));
}

export interface AgainstOptions {
  readonly url: string;
  readonly scratch: string;
  /** Builds of `dist/probe.cjs`, each of which probes every case. */
  readonly programs: readonly string[];
  readonly progress: (text: string) => void;
}

/** Lets pgbench try every size on a quiet machine, then probes beside the load of the case. */
export async function judgeCase(
  { poolSize, ms, level }: Case,
  number: number,
  { url, scratch, programs, progress }: AgainstOptions,
): Promise<readonly Judged[]> {
  const sql = `SELECT pg_sleep(${ms / 1000})`;
  const name = `${poolSize === null ? 'direct' : `pooler-${poolSize}`}, ${ms} ms`;
  progress(`${name}: pgbench`);
  const truth =
    poolSize === null ? [max] : await findTruth(sql, poolSize, { url, scratch, progress });
  const fixture: Fixture = {
    name,
    title: name,
    sql,
    poolSize,
    answer: truth.join(', '),
    isRight: (pick) => truth.includes(pick),
    throughput: null,
    needsQuiet: false,
    isQuick: false,
  };
  const judged: Judged[] = [];
  for (const program of programs) {
    progress(`${name}, beside ${level.name}: ${program}`);
    const run = await runFixture(fixture, number, { url, processPath: program, level });
    judged.push({ ...run, poolSize, ms, program, truth });
    progress(
      `  pgbench ${truth.join(' or ')}, probe ${run.pick ?? 'none'} (${run.interval?.join('–') ?? run.verdict}), confidence ${run.confidence ?? '–'}${run.isHeld ? '' : ', missed'}`,
    );
  }
  return judged;
}

const goodShare = 0.9;
/** What a second of pgbench is off by. */
const slack = 0.02;

/** Sizes that reach 90 % of the peak, as far as pgbench can tell, where one client less does not. */
async function findTruth(
  sql: string,
  poolSize: number,
  { url, scratch }: Pick<AgainstOptions, 'url' | 'scratch' | 'progress'>,
): Promise<readonly number[]> {
  await using pooler = await startPgBouncer(url, poolSize, { settings: { max_client_conn: 200 } });
  const script = await writeScript(sql, scratch);
  const near = [-1, 0, 1, 2].map((off) => poolSize + off).filter((size) => size > 0);
  const sizes = [...near, 2 * poolSize + 2];
  const best = new Map<number, number>();
  for (let round = 0; round < 2; round += 1)
    for (const size of sizes) {
      const tps = await runPgbench({
        url: pooler.url,
        script,
        size,
        seconds: 1,
        mode: 'simple',
      });
      best.set(size, Math.max(tps, best.get(size) ?? 0));
    }
  const peak = Math.max(...best.values());
  const share = (size: number) => (best.get(size) ?? 0) / peak;
  return near.filter(
    (size) => share(size) >= goodShare - slack && share(size - 1) < goodShare + slack,
  );
}

/** One line a level and build: how many of how many intervals hold what pgbench found. */
export function sumUp(judged: readonly Judged[]): string {
  const groups = new Map<string, Judged[]>();
  for (const each of judged)
    for (const level of [each.level, 'all'])
      groups.set(`${each.program}: beside ${level}`, [
        ...(groups.get(`${each.program}: beside ${level}`) ?? []),
        each,
      ]);
  return [...groups]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, runs]) => {
      const { named, heldShare, confidentlyWrong, medianWidth } = toLevelScore(runs);
      const right = runs.filter(({ isRight }) => isRight).length;
      return `${name}: ${Math.round(heldShare * named)} of ${named} intervals hold the truth of pgbench (median width ${medianWidth?.toFixed(2) ?? '–'}), ${right} picks are right, ${confidentlyWrong} wrong with a confidence of 0.9 and more; ${runs.length - named} gave none`;
    })
    .join('\n');
}
