import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import type { Row } from '../figures.ts';
import { loadNeighbour, neighbourName } from '../neighbour/load-neighbour.ts';
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
    ['ours', { path: join(root, 'rules/dist/index.js'), prefix: 'poolguard' }],
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
  return toRepositoryRows(
    rounds,
    loaded.kind === 'loaded' ? `${neighbourName} ${loaded.version}` : undefined,
  );
}

/** The command twice, from no cache and from its own; the first writes what the second reads, a small part of its time. */
function commandOnce(
  cwd: string,
  files: readonly string[],
  cache: string,
): Readonly<Record<CommandWay, Pick<Cost, 'wall'>>> {
  rmSync(cache, { force: true });
  const run = (): Pick<Cost, 'wall'> => {
    const begun = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'dist/cli.js'), 'lint', '--cache', '--cache-location', cache, ...files],
      { cwd, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    if (status !== 0 && status !== 1)
      throw new Error(`${cwd} could not be linted: ${stderr.trim().slice(-300)}`);
    return { wall: performance.now() - begun };
  };
  return { lint: run(), cached: run() };
}

function lintOnce(cwd: string, files: readonly string[], plugin: Loadable): Cost {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--max-old-space-size=8192', join(root, 'scripts/bench/repositories/lint-once.mjs')],
    { input: JSON.stringify({ cwd, files, plugin }), encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  if (status !== 0) throw new Error(`${cwd} could not be linted: ${stderr.trim().slice(-300)}`);
  return JSON.parse(stdout) as Cost;
}
