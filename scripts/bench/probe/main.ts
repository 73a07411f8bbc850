import { Command, InvalidArgumentError, Option } from 'commander';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { fillBetween } from '../../docs/marks.ts';
import { startEmbeddedServer } from '../../embedded-server.ts';
import { createOrdinaryDatabase } from '../../ordinary-database.ts';
import { judgeCase, type Judged, listCases, sumUp } from './against-pgbench.ts';
import { type Level, levels, shares, undisturbed } from './beside-load.ts';
import { findByBruteForce, type GroundTruth } from './brute-force.ts';
import { cpuStatement, fixtures, pointStatement, setup, type Fixture } from './fixtures.ts';
import { compareGenerators } from './generator-ratio.ts';
import { printTable, type BenchReport } from './print-table.ts';
import { describeRun } from '../results.ts';
import { writeResults } from '../write-results.ts';
import { toProbeRows } from './probe-rows.ts';
import { runFixture } from './run-fixture.ts';
import type { Run } from './score.ts';

interface Options {
  readonly quick: boolean;
  /** Percent of the cores that others use; true stands for every level. */
  readonly besideLoad?: true | readonly string[];
  /** Cases to try; true stands for all of them. */
  readonly againstPgbench?: true | number;
  readonly probes: readonly string[];
  readonly only?: readonly string[];
  readonly runs?: number;
  readonly json: boolean;
  readonly write: boolean;
  readonly resume: boolean;
  readonly state: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs/probe.md');
const marks = {
  start:
    '<!-- figures: `npm run bench:probe -- --write` writes what stands between these marks -->',
  end: '<!-- end of figures -->',
};
const extraParts = ['brute-force', 'generator'];
const grid = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

await new Command('npm run bench:probe --')
  .description(
    'Holds the probe against servers whose right answer is known, and against brute force.',
  )
  .option(
    '--quick',
    'one run of the typical fixtures and a short brute force: four minutes at most',
    false,
  )
  .addOption(
    new Option('--only <parts...>', 'only these').choices([
      ...fixtures.map(({ name }) => name),
      ...extraParts,
    ]),
  )
  .addOption(
    new Option(
      '--beside-load [percent...]',
      'the fixtures again and again while child processes use 30, 60 and 90 % of the cores, or only so much, steadily and in bursts; prints a line for each of these',
    ).choices(shares.map((share) => String(share * 100))),
  )
  .option(
    '--against-pgbench [cases]',
    'statements of 1 to 50 ms, directly and through poolers of 1 to 12 backends, on a quiet machine and beside programs that use 30, 60 and 90 % of the cores, or only so many of these cases: how many intervals hold what pgbench finds',
    readCount,
  )
  .option('--probes <files...>', 'builds of dist/probe.cjs that probe each of these cases', [
    join(root, 'dist/probe.cjs'),
  ])
  .option('--runs <number>', 'runs of each fixture (5, or 1 with --quick)', readCount)
  .option('--json', 'everything as JSON on standard output, in place of the table', false)
  .option(
    '--write',
    'write the table into docs/probe.md, and its sum into docs/performance.md',
    false,
  )
  .option('--resume', 'go on where the last run was stopped', false)
  .option(
    '--state <file>',
    'where results are kept meanwhile',
    join(tmpdir(), 'poolguard-bench-probe.json'),
  )
  .addHelpText(
    'after',
    `
Leave the machine alone while it runs: what other programs take of the CPU is printed with each answer.
Needs pgbouncer for its fixtures, and pgbench for brute force and generator.

Examples
  $ npm run bench:probe -- --quick
  $ npm run bench:probe -- --only pooler-4 lock --runs 10
  $ npm run bench:probe -- --only cpu lock --beside-load 60
  $ npm run bench:probe -- --write            a quarter of an hour and more; --resume goes on after a stop`,
  )
  .action(run)
  .parseAsync();

async function run(options: Options): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'poolguard-bench-probe-'));
  const server = await startEmbeddedServer({ maxConnections: 150 });
  try {
    const url = await createOrdinaryDatabase(server.url(), 'bench');
    await prepare(url);
    if (options.againstPgbench !== undefined) {
      await compareAll(url, scratch, options);
      return;
    }
    const report = await measureAll(url, scratch, options);
    progress('');
    process.stdout.write(
      options.json ? `${JSON.stringify(report, null, 2)}\n` : `${printTable(report)}\n`,
    );
    if (options.write) await writePage(report, options.quick);
  } catch (problem) {
    process.stderr.write(
      `The bench could not finish: ${problem instanceof Error ? problem.message : String(problem)}\nWhat was measured is kept in ${options.state}: --resume goes on there.\n`,
    );
    process.exitCode = 2;
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true });
  }
}

/** A line for each probe as it ends, so that a run that is stopped says what it knows. */
async function compareAll(url: string, scratch: string, options: Options): Promise<void> {
  const { againstPgbench, probes: programs, besideLoad } = options;
  const wanted = chooseLevels(besideLoad ?? true);
  const cases = listCases((level) => wanted.includes(level));
  const judged: Judged[] = [];
  for (const [number, each] of cases
    .slice(0, againstPgbench === true ? cases.length : againstPgbench)
    .entries()) {
    judged.push(...(await judgeCase(each, number, { url, scratch, programs, progress })));
    writeFileSync(options.state, JSON.stringify(judged));
  }
  process.stdout.write(`${sumUp(judged)}\n`);
}

async function prepare(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(setup);
  await client.end();
}

async function measureAll(url: string, scratch: string, options: Options): Promise<BenchReport> {
  let report = options.resume ? readState(options.state) : emptyReport();
  const keep = (change: Partial<BenchReport>) => {
    report = { ...report, ...change };
    writeFileSync(options.state, JSON.stringify(report));
  };
  for (const { fixture, number, level } of listRuns(options)) {
    const isSame = (done: Run) =>
      done.fixture === fixture.name && done.run === number && done.level === level.name;
    if (report.runs.some(isSame)) continue;
    progress(`${fixture.name}, run ${number + 1}, beside ${level.name}`);
    keep({
      runs: [
        ...report.runs,
        await runFixture(fixture, number, {
          url,
          processPath: join(root, 'dist/probe.cjs'),
          level,
        }),
      ],
    });
  }
  await compareWithPgbench({ url, scratch, options, report: () => report, keep });
  return { ...report, runs: report.runs.map((done) => judgeByTruth(done, report.truths)) };
}

interface Comparing {
  readonly url: string;
  readonly scratch: string;
  readonly options: Options;
  readonly report: () => BenchReport;
  readonly keep: (change: Partial<BenchReport>) => void;
}

async function compareWithPgbench({
  url,
  scratch,
  options,
  report,
  keep,
}: Comparing): Promise<void> {
  const { quick } = options;
  const brute = {
    url,
    scratch,
    progress,
    sizes: quick ? [1, 2, 3, 4, 8, 16] : grid,
    rounds: quick ? 3 : 5,
    secondsEach: quick ? 1 : 3,
  };
  for (const statement of isWanted('brute-force', options) ? [cpuStatement, pointStatement] : []) {
    if (report().truths.some((truth) => truth.statement === statement)) continue;
    keep({ truths: [...report().truths, await findByBruteForce(statement, brute)] });
  }
  if (isWanted('generator', options) && report().ratios.length === 0)
    keep({
      ratios: await compareGenerators(url, {
        scratch,
        progress,
        rounds: quick ? 3 : 7,
        seconds: 2,
      }),
    });
}

function isWanted(name: string, { only }: Options): boolean {
  return only === undefined || only.includes(name);
}

/** Run after run of all, not fixture after fixture: what the machine did in one minute weighs on no fixture alone. */
function listRuns(
  options: Options,
): readonly { readonly fixture: Fixture; readonly number: number; readonly level: Level }[] {
  const { quick, only, besideLoad, runs = quick ? 1 : 5 } = options;
  const wanted = fixtures.filter(
    (fixture) =>
      isWanted(fixture.name, options) && (only !== undefined || fixture.isQuick || !quick),
  );
  const chosen = chooseLevels(besideLoad);
  return Array.from({ length: runs }, (_, number) =>
    wanted.flatMap((fixture) => chosen.map((level) => ({ fixture, number, level }))),
  ).flat();
}

function chooseLevels(besideLoad: Options['besideLoad']): readonly Level[] {
  if (besideLoad === undefined) return [undisturbed];
  return besideLoad === true
    ? levels
    : levels.filter(({ share }) => besideLoad.includes(String(share * 100)));
}

/** Where no formula tells the throughput at a pick, brute force does. */
function judgeByTruth(run: Run, truths: readonly GroundTruth[]): Run {
  const truth =
    run.fixture === 'cpu' ? truths.find(({ statement }) => statement === cpuStatement) : undefined;
  const own = truth?.curve.find(({ size }) => size === run.pick)?.throughput;
  if (truth === undefined || own === undefined) return run;
  return { ...run, regret: own / Math.max(...truth.curve.map(({ throughput }) => throughput)) };
}

function emptyReport(): BenchReport {
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${process.platform} ${process.arch}, Node ${process.versions.node}, PostgreSQL 18 on the same machine`;
  return { machine, measuredAt: new Date().toISOString(), runs: [], truths: [], ratios: [] };
}

function readState(file: string): BenchReport {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BenchReport) : emptyReport();
}

async function writePage(report: BenchReport, isQuick: boolean): Promise<void> {
  const text = fillBetween(readFileSync(page, 'utf8'), marks, printTable(report));
  if (text === undefined) throw new Error('docs/probe.md has no marks for the figures.');
  writeFileSync(page, text);
  writeResults(root, {
    probe: {
      ...(await describeRun(isQuick, new Date(report.measuredAt))),
      rows: toProbeRows(report),
    },
  });
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}
