import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import type { Row } from '../figures.ts';
import { loadNeighbour, neighbourName } from '../neighbour/load-neighbour.ts';
import { addTimes, profileOfProcess, profileRows } from '../profile.ts';
import { readProject, type Project } from '../project-files.ts';
import {
  toRepositoryRows,
  type CommandWay,
  type Cost,
  type RepositoryRound,
  type Way,
} from './repository-rows.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Smaller ones are start-up, larger ones are linted in parts. */
const sizes = { from: 100, to: 2500 };

/** A plugin as another process loads it; null for the parser alone. */
type Loadable = { readonly path: string; readonly prefix: string } | null;

const ours: Loadable = { path: join(root, 'rules/dist/index.js'), prefix: 'poolguard' };

/** Whole repositories linted by ESLint in a process of its own each time: with the parser alone, with our rules, and with those of the nearest other plugin. */
export async function benchRepositories(
  bench: Bench,
  projects: readonly Project[],
): Promise<readonly Row[]> {
  const repositories = projects
    .map(({ name, folder }) => ({
      name,
      folder,
      files: readProject({ name, folder }, sizes.to + 1).map(({ path }) => path),
    }))
    .filter(({ files }) => sizes.from <= files.length && files.length <= sizes.to);
  if (repositories.length === 0) {
    bench.warn(`No project has ${sizes.from} to ${sizes.to} files: name some, or give --mirrors.`);
    return [];
  }
  const loaded = await loadNeighbour(bench.scratch, bench.neighbour);
  if (loaded.kind === 'missing') bench.warn(`${loaded.sentence} Nothing is compared with it.`);
  const ways: readonly (readonly [Way, Loadable])[] = [
    ['parser', null],
    ['ours', ours],
    ...(loaded.kind === 'loaded'
      ? [['theirs', { path: loaded.path, prefix: 'neighbour' }] as const]
      : []),
  ];
  const rounds: RepositoryRound[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    for (const { name, folder, files } of repositories) {
      bench.progress(`${name}: ${files.length} files, round ${round + 1} of ${bench.rounds}`);
      const turns = ways.map(
        (_, index) => ways[(index + round) % ways.length] as (typeof ways)[number],
      );
      const costs = Object.fromEntries(
        turns.map(([way, plugin]) => [way, lintOnce(folder, files, plugin)]),
      ) as Pick<RepositoryRound['costs'], Way>;
      rounds.push({
        repository: name,
        costs: { ...costs, ...commandOnce(folder, files, join(bench.scratch, `${name}.lint`)) },
      });
    }
  }
  return [
    ...toRepositoryRows(
      rounds,
      loaded.kind === 'loaded' ? `${neighbourName} ${loaded.version}` : undefined,
    ),
    ...profiled(bench, repositories, 'all rules', (execArgv, { folder, files }) =>
      lintOnce(folder, files, ours, execArgv),
    ),
    ...profiled(bench, repositories, '`poolguard lint`', (execArgv, { name, folder, files }) =>
      runCommand(folder, files, join(bench.scratch, `${name}.profiled`), execArgv),
    ),
  ];
}

interface Repository extends Project {
  readonly files: readonly string[];
}

/** What the time of one run of each repository is made of. */
function profiled(
  bench: Bench,
  repositories: readonly Repository[],
  name: string,
  run: (execArgv: readonly string[], repository: Repository) => void,
): readonly Row[] {
  const times = repositories.map((repository) => {
    bench.progress(`${repository.name}: profile of ${name}`);
    const profile = profileOfProcess(bench.scratch);
    run(profile.execArgv, repository);
    return profile.read();
  });
  return profileRows('repositories', name, addTimes(times));
}

/** The command twice, from no cache and from its own; the first writes what the second reads. */
function commandOnce(
  cwd: string,
  files: readonly string[],
  cache: string,
): Readonly<Record<CommandWay, Pick<Cost, 'wall'>>> {
  rmSync(cache, { force: true });
  return { lint: runCommand(cwd, files, cache), cached: runCommand(cwd, files, cache) };
}

function runCommand(
  cwd: string,
  files: readonly string[],
  cache: string,
  execArgv: readonly string[] = [],
): Pick<Cost, 'wall'> {
  const begun = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...execArgv,
      join(root, 'dist/cli.js'),
      'lint',
      '--cache',
      '--cache-location',
      cache,
      ...files,
    ],
    { cwd, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (status !== 0 && status !== 1)
    throw new Error(`${cwd} could not be linted: ${stderr.trim().slice(-300)}`);
  return { wall: performance.now() - begun };
}

function lintOnce(
  cwd: string,
  files: readonly string[],
  plugin: Loadable,
  execArgv: readonly string[] = [],
): Cost {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...execArgv,
      '--expose-gc',
      '--max-old-space-size=8192',
      join(root, 'scripts/bench/repositories/lint-once.mjs'),
    ],
    { input: JSON.stringify({ cwd, files, plugin }), encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`${cwd} could not be linted: ${stderr.trim().slice(-300)}`);
  return JSON.parse(stdout) as Cost;
}
