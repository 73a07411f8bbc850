import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './git.ts';

/** Where repositories come from. */
export interface Origins {
  /** A folder of bare git directories; null to fetch. */
  readonly mirrors: string | null;
  /** `https://github.com`, say: `owner/name` is appended. */
  readonly remote: string;
  /** What is fetched and laid out stays here for the next run. */
  readonly cache: string;
}

export type GitDirectory =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly because: string };

/** A bare git directory that has the commit: a mirror, or fetched into the cache. */
export async function findGitDirectory(
  repo: string,
  commit: string,
  origins: Origins,
  signal: AbortSignal,
): Promise<GitDirectory> {
  if (origins.mirrors === null)
    return fetchInto(
      join(origins.cache, 'repositories', spelled(repo)),
      repo,
      commit,
      origins,
      signal,
    );
  const path = mirrorOf(repo, origins.mirrors);
  if (path === undefined)
    return {
      kind: 'missing',
      because: `no bare git directory ${spelled(repo)} or ${repo}.git in ${origins.mirrors}`,
    };
  return (await hasCommit(path, commit, signal))
    ? { kind: 'found', path }
    : { kind: 'missing', because: 'the mirror does not have that commit' };
}

/** `owner/name` as one file name. */
export function spelled(repo: string): string {
  return repo.replace('/', '+');
}

function mirrorOf(repo: string, mirrors: string): string | undefined {
  const candidates = [
    join(mirrors, spelled(repo)),
    join(mirrors, `${repo}.git`),
    join(mirrors, `${spelled(repo)}.git`),
  ];
  return candidates
    .flatMap((folder) => [folder, ...foldersIn(folder)])
    .flatMap((folder) => [folder, join(folder, '.git')])
    .find(isBare);
}

function foldersIn(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : [];
}

function isBare(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'));
}

async function hasCommit(path: string, commit: string, signal: AbortSignal): Promise<boolean> {
  return (await git(path, ['cat-file', '-e', `${commit}^{commit}`], signal)).code === 0;
}

/** One commit without its history, and without files that are too large to be source. A fetch that was cut short is repeated by the next run. */
async function fetchInto(
  path: string,
  repo: string,
  commit: string,
  { remote }: Origins,
  signal: AbortSignal,
): Promise<GitDirectory> {
  mkdirSync(path, { recursive: true });
  if (!isBare(path)) await git(path, ['init', '--bare', '--quiet'], signal);
  if (await hasCommit(path, commit, signal)) return { kind: 'found', path };
  // A partial clone wants a remote by name.
  await git(path, ['config', 'remote.origin.url', `${remote}/${repo}`], signal);
  const { code, complaint } = await git(
    path,
    ['fetch', '--quiet', '--depth=1', '--no-tags', '--filter=blob:limit=1m', 'origin', commit],
    signal,
  );
  return code === 0
    ? { kind: 'found', path }
    : { kind: 'missing', because: `it could not be fetched from ${remote}: ${complaint}` };
}
