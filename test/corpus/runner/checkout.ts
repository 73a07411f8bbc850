import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { git } from './git.ts';
import { findGitDirectory, spelled, type Origins } from './git-directory.ts';

export type Checkout =
  | { readonly kind: 'laid-out'; readonly folder: string }
  | { readonly kind: 'missing'; readonly because: string };

/** Sources and what tells how they import each other; never installed packages or minified code. */
const wanted =
  /(?:\.[cm]?[jt]sx?|package\.json|[jt]sconfig[^/]*\.json|deno\.jsonc?|import_map\.json|pnpm-workspace\.yaml|lerna\.json)$/u;
const unwanted = /(?:^|\/)node_modules\/|\.min\.js$|\p{Cc}/u;
/** Larger files are generated. */
const largestBytes = 1 << 20;
const filesAtOnce = 400;

/** Lays the sources of one commit out in a folder of the cache, which is complete once it has its name. */
export async function layOut(
  repo: string,
  commit: string,
  origins: Origins,
  signal: AbortSignal,
): Promise<Checkout> {
  const folder = join(origins.cache, 'checkouts', `${spelled(repo)}@${commit}`);
  if (existsSync(folder)) return { kind: 'laid-out', folder };
  const found = await findGitDirectory(repo, commit, origins, signal);
  if (found.kind === 'missing') return found;
  const unfinished = `${folder}.${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await writeSources(found.path, commit, unfinished, signal);
    await rename(unfinished, folder);
    return { kind: 'laid-out', folder };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function writeSources(
  directory: string,
  commit: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const { stdout } = await git(directory, ['ls-tree', '-r', '-z', commit], signal);
  const entries = stdout.toString().split('\0').flatMap(toEntry);
  for (let at = 0; at < entries.length; at += filesAtOnce) {
    const some = entries.slice(at, at + filesAtOnce);
    const contents = contentsIn(
      (
        await git(
          directory,
          ['cat-file', '--batch'],
          signal,
          `${some.map(({ hash }) => hash).join('\n')}\n`,
        )
      ).stdout,
    );
    await Promise.all(
      some.map(({ path }, index) => writeSource(join(folder, path), contents[index] ?? null)),
    );
  }
}

interface Entry {
  readonly hash: string;
  readonly path: string;
}

/** `mode type hash<tab>path` of a regular file; links and submodules are no sources. */
function toEntry(line: string): readonly Entry[] {
  const { hash = '', path = '' } =
    /^100\d{3} blob (?<hash>[0-9a-f]+)\t(?<path>[^]*)$/u.exec(line)?.groups ?? {};
  return wanted.test(path) && !unwanted.test(path) && !path.split('/').includes('..')
    ? [{ hash, path }]
    : [];
}

/** Splits the answer of `git cat-file --batch`: `hash type size`, a line break, the bytes, a line break. What the mirror lacks is null. */
function contentsIn(answer: Buffer): readonly (Buffer | null)[] {
  const contents: (Buffer | null)[] = [];
  for (let at = 0; at < answer.length;) {
    const end = answer.indexOf('\n', at);
    const size = /^[0-9a-f]+ blob (?<size>\d+)$/u.exec(answer.toString('utf8', at, end))?.groups?.[
      'size'
    ];
    contents.push(size === undefined ? null : answer.subarray(end + 1, end + 1 + Number(size)));
    at = size === undefined ? end + 1 : end + 2 + Number(size);
  }
  return contents;
}

async function writeSource(path: string, content: Buffer | null): Promise<void> {
  if (content === null || content.length >= largestBytes) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
