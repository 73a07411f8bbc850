import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import { spreadOf, type Row } from '../figures.ts';
import { readProject, type Project } from '../project-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What one run of the command took, as a user sees it: seconds, seconds of processor time, and megabytes at its peak. */
interface Run {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
}

/** What a user pays for a run of `poolguard lint`. */
export function benchRun(bench: Bench, projects: readonly Project[]): Promise<readonly Row[]> {
  return Promise.resolve(projects.flatMap((project) => lintRows(bench, project)));
}

/** What an installation takes of the disk. */
export function benchInstall(bench: Bench): Promise<readonly Row[]> {
  return Promise.resolve(installRows(bench));
}

const lintMethod =
  '`poolguard lint` checks each project in a process of its own, its start included, with as many threads as it chooses. Memory is the largest resident size of the process. The first run writes the cache that the second one reads.';

function lintRows(bench: Bench, project: Project): readonly Row[] {
  const files = readProject(project, bench.files);
  const megabytes = files.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
  const cache = join(bench.scratch, `${project.name}.run`);
  const runs = Array.from({ length: bench.rounds }, (_, round) => {
    bench.progress(`${project.name}: lint, round ${round + 1} of ${bench.rounds}`);
    rmSync(cache, { force: true });
    const lint = () =>
      lintOnce(
        project,
        files.map(({ path }) => path),
        cache,
        bench.scratch,
      );
    return { cold: lint(), cached: lint() };
  });
  const row = (name: string, unit: Row['unit'], values: readonly number[], note: string): Row => ({
    group: 'lint',
    name: `\`poolguard lint\`, ${project.name}: ${name}`,
    unit,
    value: spreadOf(values),
    goal: null,
    note,
    method: lintMethod,
  });
  const cpu = spreadOf(runs.map(({ cold }) => cold.cpu)).median;
  const size = `${files.length} files, ${megabytes.toFixed(1)} MB of source`;
  return [
    row(
      'time',
      's',
      runs.map(({ cold }) => cold.wall),
      `${size}; ${cpu.toFixed(1)} s of processor time`,
    ),
    row(
      'time with `--cache`, nothing changed',
      's',
      runs.map(({ cached }) => cached.wall),
      size,
    ),
    row(
      'memory',
      'MB',
      runs.map(({ cold }) => cold.memory),
      size,
    ),
  ];
}

/** Loaded into the command before itself; its threads get the same options and must keep still. */
const meter = `import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread) process.on('exit', () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));`;

function lintOnce(
  { folder }: Project,
  files: readonly string[],
  cache: string,
  scratch: string,
): Run {
  const usage = join(scratch, 'usage.json');
  const begun = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(meter)}`,
      join(root, 'dist/cli.js'),
      'lint',
      '--cache',
      '--cache-location',
      cache,
      ...files,
    ],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, BENCH_USAGE: usage },
    },
  );
  if (status !== 0 && status !== 1)
    throw new Error(`${folder} could not be linted: ${stderr.trim().slice(-300)}`);
  const wall = (performance.now() - begun) / 1e3;
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(
    readFileSync(usage, 'utf8'),
  ) as NodeJS.ResourceUsage;
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1e6, memory: (maxRSS * 1024) / 1e6 };
}

const installMethod =
  'Each package is packed as it is published and installed by npm into an empty folder, with its dependencies and without what it shares with the project, such as ESLint.';

/** Packs what is published and installs it; needs a package registry for dependencies. */
function installRows(bench: Bench): readonly Row[] {
  bench.progress('packing what is published');
  const packed = join(bench.scratch, 'packed');
  run(
    process.execPath,
    ['--import', 'tsx', 'scripts/published/main.ts', 'check', '--into', packed],
    root,
  );
  return readdirSync(packed)
    .filter((name) => name.endsWith('.tgz') || name.endsWith('.vsix'))
    .flatMap((name) => {
      const path = join(packed, name);
      const title = name.endsWith('.vsix')
        ? 'Poolguard for VS Code'
        : `\`${name.replace(/-\d.*$/u, '')}\``;
      return [
        megabytes(`${title}: download`, statSync(path).size, 'one file'),
        ...(name.endsWith('.vsix') ? [] : [installed(bench, title, path)]),
      ];
    });
}

function installed(bench: Bench, title: string, path: string): Row {
  bench.progress(`installing ${title}`);
  const folder = join(bench.scratch, 'installed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', path],
    folder,
  );
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    readonly packages: object;
  };
  const count = Object.keys(lock.packages).length;
  return megabytes(
    `${title}: installed`,
    bytesIn(modules),
    count === 1 ? '1 package' : `${count} packages`,
  );
}

function megabytes(name: string, bytes: number, note: string): Row {
  return {
    group: 'install',
    name,
    unit: 'MB',
    value: spreadOf([bytes / 1e6]),
    goal: null,
    note,
    method: installMethod,
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    shell: program === 'npm' && process.platform === 'win32',
  });
  if (status !== 0)
    throw new Error(
      `${program} ${args.slice(0, 3).join(' ')} failed: ${stderr.trim().slice(-300)}`,
    );
}
