import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { globbySync } from 'globby';
import type { SourceText } from './lint-run.ts';

/** A folder of source files that is linted as one project. */
export interface Project {
  readonly name: string;
  readonly folder: string;
}

/** What a commit's tree is laid out of: sources, and what says how they import each other. */
const kept = [
  '*.ts',
  '*.tsx',
  '*.mts',
  '*.cts',
  '*.js',
  '*.jsx',
  '*.mjs',
  '*.cjs',
  '*tsconfig*.json',
  '*jsconfig.json',
  '*package.json',
];

/** Larger files are bundles. */
const maximalBytes = 500_000;

/** Reads pins, one `owner/name<TAB>commit` a line; more columns and repeated lines do no harm, so a table of labels will do. */
export function readPins(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').map((line) => line.split('\t'));
  return new Map(
    rows.flatMap(([repository, commit]) =>
      repository !== undefined && commit !== undefined && /^[0-9a-f]{7,40}$/u.test(commit)
        ? [[repository, commit] as const]
        : [],
    ),
  );
}

/** The mirrors of a folder, each a bare git repository called `owner+name` or in a folder of that name, laid out below `work`. */
export function layOutMirrors(
  mirrors: string,
  pins: ReadonlyMap<string, string>,
  work: string,
): readonly Project[] {
  return readdirSync(mirrors)
    .sort()
    .flatMap((entry) => {
      const repository = entry.replace('+', '/');
      const git = gitFolder(join(mirrors, entry));
      if (git === undefined || (pins.size > 0 && !pins.has(repository))) return [];
      return [layOut(repository, git, pins.get(repository) ?? 'HEAD', work)];
    });
}

/** One mirror, given as its folder or the bare repository itself, laid out below `work`. */
export function layOutMirror(name: string, top: string, work: string): string {
  const git = gitFolder(top);
  if (git === undefined) throw new Error(`${top} is no bare git repository.`);
  return layOut(name, git, 'HEAD', work).folder;
}

function gitFolder(top: string): string | undefined {
  if (!statSync(top).isDirectory()) return undefined;
  return [top, ...readdirSync(top).map((name) => join(top, name))].find(
    (folder) => existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')),
  );
}

/** Nothing is written into the mirror: the index is a file of our own. Symbolic links become plain files. */
function layOut(name: string, git: string, commit: string, work: string): Project {
  const folder = join(work, `${name.replace('/', '+')}@${commit.slice(0, 10)}`);
  if (existsSync(join(folder, '.done'))) return { name, folder };
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'poolguard-index-'));
  try {
    const run = (args: readonly string[], input?: Buffer) =>
      runGit(
        ['--git-dir', git, '-c', 'core.symlinks=false', '-c', 'core.bare=false', ...args],
        join(scratch, 'index'),
        input,
      );
    run(['read-tree', commit]);
    const list = run(['ls-files', '-z', '--', ...kept]);
    run(['checkout-index', '-f', '-z', '--stdin', `--prefix=${folder}/`], list);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  writeFileSync(join(folder, '.done'), '');
  return { name, folder };
}

function runGit(args: readonly string[], index: string, input?: Buffer): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, {
    env: { ...process.env, GIT_INDEX_FILE: index },
    maxBuffer: 1 << 28,
    ...(input === undefined ? {} : { input }),
  });
  if (status !== 0) throw new Error(`git could not lay out a mirror: ${stderr.toString().trim()}`);
  return stdout;
}

/** At most `limit` source files of a project: the stretch of its alphabetical list in which most files speak of a pool, because that is where the work is. */
export function readProject({ folder }: Project, limit: number): readonly SourceText[] {
  const found = globbySync('**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}', {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/dist/**', '**/*.min.js', '**/*.d.ts'],
    gitignore: false,
  })
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size <= maximalBytes);
  const files = found.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  const start = densestStretch(
    files.map(({ text }) => /\.connect\(|['"]pg['"]/u.test(text)),
    limit,
  );
  return files.slice(start, start + limit);
}

/** Where the window of that length begins which holds most of the marked ones. */
export function densestStretch(isMarked: readonly boolean[], length: number): number {
  let inside = isMarked.slice(0, length).filter(Boolean).length;
  let best = { start: 0, inside };
  for (let start = 1; start + length <= isMarked.length; start++) {
    inside += Number(isMarked[start + length - 1]) - Number(isMarked[start - 1]);
    if (inside > best.inside) best = { start, inside };
  }
  return best.start;
}
