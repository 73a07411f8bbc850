import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import {
  addRounds,
  growthOf,
  rulesOf,
  shareOfParsing,
  spreadOf,
  type Row,
  type Spread,
} from './figures.ts';
import { countLines, generatePlainFile, generateService, neighbours } from './generated-service.ts';
import { nests, type Nest } from './generated-nests.ts';
import { doesParse, idleRules, startRun, type SourceText } from './lint-run.ts';
import { readProject, type Project } from './project-files.ts';
import { measure, type Measured, type Stopwatch } from './stopwatch.ts';

/** Lints all files of a project once, each the three ways. A new run knows nothing of an earlier one. */
async function runOver(
  files: readonly SourceText[],
  folder: string,
  round: number,
  stopwatch: Stopwatch,
  rules?: Parameters<typeof startRun>[1],
): Promise<readonly Measured[]> {
  const run = await startRun(folder, rules);
  return files.map((file, index) => measure(run.workFor(file), index + round, stopwatch));
}

interface ProjectRounds {
  readonly name: string;
  readonly files: readonly SourceText[];
  /** The whole project's cost in each round. */
  readonly cpu: readonly ReturnType<typeof addRounds>[];
  readonly wall: readonly ReturnType<typeof addRounds>[];
  /** What the rules took for files that never say `pool`, `client` or `connect`, in ms a file. */
  readonly silent: readonly number[];
}

async function measureProject(project: Project, bench: Bench): Promise<ProjectRounds> {
  const files = readProject(project, bench.files).filter(doesParse);
  const isSilent = files.map(({ text }) => !/pool|client|connect/iu.test(text));
  const rounds: (readonly Measured[])[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    bench.progress(`${project.name}: ${files.length} files, round ${round + 1} of ${bench.rounds}`);
    rounds.push(await runOver(files, project.folder, round, bench.stopwatch));
  }
  const silent = rounds.map((round) =>
    meanOf(round.filter((_, index) => isSilent[index]).map(({ cpu }) => rulesOf(cpu))),
  );
  return {
    name: project.name,
    files,
    silent,
    cpu: rounds.map((round) => addRounds(round.map(({ cpu }) => cpu))),
    wall: rounds.map((round) => addRounds(round.map(({ wall }) => wall))),
  };
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export async function benchShare(
  bench: Bench,
  projects: readonly Project[],
): Promise<readonly Row[]> {
  const measured: ProjectRounds[] = [];
  for (const project of projects) {
    const each = await measureProject(project, bench);
    if (each.files.length > 0) measured.push(each);
  }
  const rows = measured.map((each) => shareRow(each.name, each, null));
  return [...rows, shareRow('all together', together(measured), 15), silentRow(measured)];
}

/** Round by round, so that what is added up was measured at about the same time. */
function together(measured: readonly ProjectRounds[]): Omit<ProjectRounds, 'name'> {
  const rounds = measured[0]?.cpu.length ?? 0;
  const sum = (pick: (each: ProjectRounds) => readonly ReturnType<typeof addRounds>[]) =>
    Array.from({ length: rounds }, (_, round) =>
      addRounds(measured.flatMap((each) => pick(each)[round] ?? [])),
    );
  return {
    files: measured.flatMap(({ files }) => files),
    cpu: sum(({ cpu }) => cpu),
    wall: sum(({ wall }) => wall),
    silent: [],
  };
}

function shareRow(
  name: string,
  { files, cpu, wall }: Omit<ProjectRounds, 'name'>,
  goal: number | null,
): Row {
  const wallShare = shareOfParsing(wall).median;
  const parse = spreadOf(cpu.map((round) => round.parse)).median;
  return {
    group: 'share of parsing',
    name,
    unit: '%',
    value: shareOfParsing(cpu),
    goal,
    note: `CPU; ${wallShare.toFixed(0)} % of wall time; ${files.length} files that take ${Math.round(parse)} ms to parse`,
  };
}

function silentRow(measured: readonly ProjectRounds[]): Row {
  const value = spreadOf(
    measured.map(({ silent }) => spreadOf(silent).median).filter((each) => each !== 0),
  );
  return {
    group: 'files without a pool',
    name: 'in these projects, files without such a word',
    unit: 'ms',
    value,
    goal: 0.05,
    note: 'CPU a file; median and extremes of the projects',
  };
}

const quietFiles = 200;

export async function benchQuiet(bench: Bench): Promise<readonly Row[]> {
  const folder = writeNeighbours(bench.scratch);
  const files = Array.from({ length: Math.round(quietFiles * bench.scale) }, (_, n) => ({
    path: join(folder, `plain-${n}.ts`),
    text: generatePlainFile(100 + n),
  }));
  const [ours, idle]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round++) {
    bench.progress(`files without a pool, round ${round + 1} of ${bench.rounds}`);
    for (const [times, rules] of [
      [ours, undefined],
      [idle, idleRules],
    ] as const)
      times.push(
        meanOf(
          (await runOver(files, folder, round, bench.stopwatch, rules)).map(({ cpu }) =>
            rulesOf(cpu),
          ),
        ),
      );
  }
  const row = (name: string, times: readonly number[], goal: number | null): Row => ({
    group: 'files without a pool',
    name,
    unit: 'ms',
    value: spreadOf(times),
    goal,
    note: 'CPU a file',
  });
  return [
    row(`${files.length} generated files of 100 to ${99 + files.length} lines`, ours, 0.05),
    row('the same, as many rules that do nothing', idle, null),
  ];
}

function writeNeighbours(scratch: string): string {
  mkdirSync(scratch, { recursive: true });
  for (const [name, text] of Object.entries(neighbours)) writeFileSync(join(scratch, name), text);
  return scratch;
}

/** By lines and checkouts. */
const smallest = [1_000, 50] as const;
const growing: Readonly<Record<string, readonly (readonly [lines: number, checkouts: number])[]>> =
  {
    'lines and checkouts': [
      [5_000, 250],
      [20_000, 1_000],
    ],
    'lines, with 50 checkouts': [
      [5_000, 50],
      [20_000, 50],
    ],
  };

export async function benchGrowth(bench: Bench): Promise<readonly Row[]> {
  const folder = writeNeighbours(bench.scratch);
  const rows: Row[] = [];
  const measureSize = async ([lines, checkouts]: readonly [number, number]) => {
    const file = {
      path: join(folder, 'service.ts'),
      text: generateService(lines * bench.scale, Math.round(checkouts * bench.scale)),
    };
    bench.progress(`growth: ${lines * bench.scale} lines`);
    const { seconds, share } = await measureFile(file, folder, bench);
    rows.push({
      group: 'growth',
      name: `${countLines(file.text)} lines, ${Math.round(checkouts * bench.scale)} checkouts`,
      unit: 's',
      value: seconds,
      goal: lines >= 20_000 ? 2 : null,
      note: `CPU; ${share.median.toFixed(0)} % of parsing`,
    });
    return { size: file.text.length, cost: seconds.median };
  };
  const first = await measureSize(smallest);
  for (const [name, sizes] of Object.entries(growing)) {
    const points = [first];
    for (const size of sizes) points.push(await measureSize(size));
    rows.push({
      group: 'growth',
      name: `power of growth with ${name}`,
      unit: 'power',
      value: spreadOf([growthOf(points)]),
      goal: 1.15,
      note: '1 is linear, 2 quadratic',
    });
  }
  return rows;
}

async function measureFile(
  file: SourceText,
  folder: string,
  { rounds, stopwatch }: Bench,
): Promise<{ seconds: Spread; share: Spread }> {
  const costs: Measured[] = [];
  // The small file comes first, so that what both import has been read when the other one is measured.
  const first = { path: join(folder, 'first.ts'), text: generateService(30, 4) };
  for (let round = 0; round < rounds; round++)
    costs.push(...(await runOver([first, file], folder, round, stopwatch)).slice(1));
  return {
    seconds: spreadOf(costs.map(({ cpu }) => rulesOf(cpu) / 1000)),
    share: shareOfParsing(costs.map(({ cpu }) => cpu)),
  };
}

export async function benchNests(bench: Bench): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const nest of nests(bench.scale)) {
    bench.progress(`nests: ${nest.name}`);
    const size = await largestSize(nest, bench.scratch);
    rows.push(await nestRow(`${size} ${nest.name}`, nestFile(nest, size, bench.scratch), bench));
  }
  return rows;
}

function nestFile({ code }: Nest, size: number, folder: string): SourceText {
  return { path: join(folder, 'nest.ts'), text: code(size) };
}

/** The parser and the linter have their own limits, which depend on the stack and on how warm their code is; what they do not take is halved until they do, and once more. */
async function largestSize(nest: Nest, folder: string): Promise<number> {
  const run = await startRun(folder);
  let { size } = nest;
  while (size > 1 && !run.takes(nestFile(nest, size, folder))) size = Math.floor(size / 2);
  return size === nest.size ? size : Math.ceil(size / 2);
}

/** The rules swallow their own mistakes so as not to end a lint run; here they count. */
async function nestRow(name: string, file: SourceText, bench: Bench): Promise<Row> {
  const before = process.env['POOLGUARD_DEBUG'];
  process.env['POOLGUARD_DEBUG'] = '1';
  try {
    const { seconds, share } = await measureFile(file, bench.scratch, bench);
    return {
      group: 'nests',
      name,
      unit: 's',
      value: seconds,
      goal: 1,
      note: `CPU; ${share.median.toFixed(0)} % of parsing`,
    };
  } catch (mistake) {
    return {
      group: 'nests',
      name,
      unit: 'mistakes',
      value: spreadOf([1]),
      goal: 0,
      note: mistake instanceof Error ? (mistake.message.split('\n')[0] ?? '') : String(mistake),
    };
  } finally {
    if (before === undefined) delete process.env['POOLGUARD_DEBUG'];
    else process.env['POOLGUARD_DEBUG'] = before;
  }
}

const megabyte = 1_048_576;

/** What the rules still hold after a project was linted, while their parser lives: an editor's server holds it for days. */
export async function benchMemory(
  bench: Bench,
  projects: readonly Project[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const project of projects) {
    const files = readProject(project, bench.files).filter(doesParse);
    if (files.length === 0) continue;
    bench.progress(`memory: ${project.name}`);
    const held: number[] = [];
    for (let round = 0; round < bench.rounds; round++)
      held.push(await heldAfter(files, project.folder, bench));
    const source = files.reduce((sum, { text }) => sum + text.length, 0) / megabyte;
    rows.push({
      group: 'memory',
      name: project.name,
      unit: 'MB',
      value: spreadOf(held),
      goal: 100,
      note: `held after linting ${files.length} files, ${source.toFixed(1)} MB of source`,
    });
  }
  return rows;
}

async function heldAfter(
  files: readonly SourceText[],
  folder: string,
  { heapUsed }: Bench,
): Promise<number> {
  const run = await startRun(folder);
  const before = heapUsed();
  for (const file of files) run.workFor(file).ruled();
  const after = heapUsed();
  // Whoever reads this field keeps the run alive until the heap was measured.
  return run.isAlive ? (after - before) / megabyte : Number.NaN;
}
