import { Command, InvalidArgumentError, Option } from 'commander';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pc from 'picocolors';
import type { Bench } from './bench.ts';
import { benchmarks, onlyByName } from './benchmarks.ts';
import { isMet, type Row } from './figures.ts';
import { printRows, toJson } from './print-rows.ts';
import { layOutMirrors, readPins, type Project } from './project-files.ts';
import { describeRun } from './results.ts';
import { createStopwatch } from './stopwatch.ts';
import { writeResults } from './write-results.ts';

interface Options {
  readonly mirrors?: string;
  readonly pins?: string;
  readonly work: string;
  readonly neighbour?: string;
  readonly only?: readonly string[];
  readonly all: boolean;
  readonly writeDocs: boolean;
  readonly rounds?: number;
  readonly files?: number;
  readonly quick: boolean;
  readonly check: boolean;
  readonly json: boolean;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const couldNotRun = 2;

const command = new Command('npm run bench --')
  .description(
    'Measures what the rules cost: beside the parser, on files without a pool, as files grow, on code that is meant to hurt, and in memory; what people wait for in an editor; what live activity costs the server; and what the monitor costs an application.',
  )
  .argument(
    '[folders...]',
    "projects to lint; this repository's own sources and examples unless given",
  )
  .option(
    '--mirrors <folder>',
    'bare git repositories, called owner+name, that are laid out and linted as well',
  )
  .option(
    '--pins <file>',
    'lines of `owner/name<TAB>commit`: which mirrors to take, and which commit of each (else HEAD of all)',
  )
  .option(
    '--work <folder>',
    'where mirrors are laid out, and found again next time',
    join(tmpdir(), 'poolguard-bench'),
  )
  .addOption(new Option('--only <parts...>', 'measure only these').choices(Object.keys(benchmarks)))
  .option('--all', 'measure everything, what is otherwise measured only by name included', false)
  .option(
    '--write-docs',
    'keep what was measured in scripts/bench/results.json, and write docs/performance.md from it',
    false,
  )
  .option(
    '--neighbour <folder>',
    'a bare git repository of the nearest other plugin, where the registry has it not',
  )
  .option('--rounds <number>', 'how often each thing is measured (5, or 3 with --quick)', readCount)
  .option('--files <number>', 'the most files of one project (400, or 60 with --quick)', readCount)
  .option('--quick', 'small generated code and few files: a minute, for a first look', false)
  .option('--check', 'exit with 1 when a goal is missed', false)
  .option('--json', 'rows as JSON on standard output', false)
  .addHelpText(
    'after',
    `
How to read it
  Every figure compares work that is done in turn, in one process: the parser alone, ESLint's Linter without rules,
  and the same Linter with all rules. What the rules cost is the difference of the last two, so it includes the files
  that they read and parse themselves. Each round begins with nothing remembered. The median of the rounds counts;
  "from – to" says how far they lie apart. On a busy machine trust the shares of parsing, not the seconds. Below the
  table each figure of an editor has its method.

Examples
  $ npm run bench -- --quick
  $ npm run bench -- --only growth nests --rounds 3
  $ npm run bench -- --only editor
  $ npm run bench -- --only observer     500 sessions on a real server, some minutes
  $ npm run bench -- --only monitor      a pool under load with and without the monitor, a minute
  $ npm run bench -- --only vscode     in a real VS Code, some minutes
  $ npm run bench -- --only neighbour    the rules beside those of eslint-plugin-postgresql-security, which is fetched
  $ npm run bench -- --only repositories --mirrors ~/mirrors --pins pins.tsv   whole repositories, each in a process of its own
  $ npm run bench -- --only probe        how well a probe tells, in short; npm run bench:probe does more
  $ npm run bench -- --all --write-docs  everything, half an hour or more; rewrites docs/performance.md
  $ npm run bench -- --only share ../my-service
  $ npm run bench -- --mirrors ~/mirrors --pins pins.tsv --json > bench.json`,
  )
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : couldNotRun))
  .action(run);

await command.parseAsync();

async function run(folders: readonly string[], options: Options): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'poolguard-generated-'));
  try {
    const projects = projectsFor(folders, options);
    const bench = createBench(scratch, options);
    const rows = await measureParts(partsOf(options), bench, projects, options);
    bench.progress('');
    process.stdout.write(options.json ? toJson(rows) : `${printRows(rows, pc)}\n`);
    const missed = rows.filter((row) => isMet(row) === false).length;
    if (options.check && missed > 0) process.exitCode ??= 1;
  } catch (problem) {
    process.stderr.write(
      `${pc.red('The bench could not finish:')} ${problem instanceof Error ? problem.message : String(problem)}\n`,
    );
    process.exitCode = couldNotRun;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function partsOf({ only, all }: Options): readonly string[] {
  return only ?? Object.keys(benchmarks).filter((part) => all || !onlyByName.has(part));
}

/** Each part is kept as soon as it was measured, and one that fails, say for want of a browser, ends none of the others. */
async function measureParts(
  parts: readonly string[],
  bench: Bench,
  projects: readonly Project[],
  { writeDocs, quick }: Options,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (const part of parts) {
    const run = await describeRun(quick, new Date());
    const rows = await measurePart(part, bench, projects);
    all.push(...rows);
    if (writeDocs && rows.length > 0) writeResults(root, { [part]: { ...run, rows } });
  }
  return all;
}

async function measurePart(
  part: string,
  bench: Bench,
  projects: readonly Project[],
): Promise<readonly Row[]> {
  try {
    return (await benchmarks[part]?.(bench, projects)) ?? [];
  } catch (problem) {
    bench.warn(
      `${part} could not be measured: ${problem instanceof Error ? problem.message : String(problem)}`,
    );
    process.exitCode = couldNotRun;
    return [];
  }
}

function projectsFor(
  folders: readonly string[],
  { mirrors, pins, work }: Options,
): readonly Project[] {
  const given = folders.map((folder) => ({
    name: basename(resolve(folder)),
    folder: resolve(folder),
  }));
  const mirrored =
    mirrors === undefined
      ? []
      : layOutMirrors(
          resolve(mirrors),
          readPins(pins === undefined ? '' : readFileSync(pins, 'utf8')),
          resolve(work),
        );
  const found = [...given, ...mirrored];
  return found.length > 0
    ? found
    : ['rules', 'src', 'examples'].map((name) => ({ name, folder: join(root, name) }));
}

function createBench(scratch: string, { quick, rounds, files, neighbour }: Options): Bench {
  return {
    stopwatch: createStopwatch(),
    rounds: rounds ?? (quick ? 3 : 5),
    files: files ?? (quick ? 60 : 400),
    scale: quick ? 0.25 : 1,
    scratch,
    heapUsed: createHeapMeter(),
    neighbour,
    warn: (sentence) => void process.stderr.write(`${sentence}\n`),
    progress: (text) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${text}`);
    },
  };
}

/** The collector is asked for by a flag, so that nobody has to start Node with it. */
function createHeapMeter(): () => number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
}

function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return count;
}
