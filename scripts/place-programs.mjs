// Makes PostgreSQL's programs complete and reachable for the user that runs them.
import {
  chmod,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  stat,
  symlink,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { enter, mayReach, mayUse, read } from './server-user.mjs';

/** @typedef {import('./server-user.mjs').ServerUser} ServerUser */

/** What a program looks for beside its own folder. */
const parts = ['bin', 'lib', 'share'];
const programNames = ['initdb', 'postgres'].map((name) =>
  process.platform === 'win32' ? `${name}.exe` : name,
);

/**
 * The folder to run the programs from: their own, or, when the user may not use that, a copy in `into`.
 * @param {string} programs @param {ServerUser | undefined} user @param {string} into @returns {Promise<string>}
 */
export async function placePrograms(programs, user, into) {
  const own = await realpath(programs);
  const isComplete = await complete(dirname(own)).then(() => true, isRefusal);
  if (isComplete && (user === undefined || (await mayRun(own, user)))) return own;
  await copyPrograms(dirname(own), into);
  await complete(into);
  return join(into, 'bin');
}

/** Makes the links that npm cannot carry, and the programs executable, for an installation without scripts. @param {string} folder */
async function complete(folder) {
  const listed = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Both paths begin with the name of the folder that holds the list.
  const links = JSON.parse(listed).map(({ source, target }) => [
    relative('native', source),
    relative('native', target),
  ]);
  await Promise.all(
    links.map(([source, target]) =>
      symlink(relative(dirname(target), source), join(folder, target)).catch(unlessThere),
    ),
  );
  for (const program of programNames.map((name) => join(folder, 'bin', name))) {
    const mode = (await stat(program).catch(() => undefined))?.mode ?? constants.S_IXUSR;
    if ((mode & constants.S_IXUSR) === 0) await chmod(program, mode | 0o555);
  }
}

function unlessThere(error) {
  if (error.code !== 'EEXIST') throw error;
}

/** False for what a folder that cannot be written answers; anything else is thrown. */
function isRefusal(error) {
  if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) return false;
  throw error;
}

/** Whether the user may enter all folders of an installation and run what is in it. An installation of the system lies about elsewhere, and everybody may use it. */
async function mayRun(own, user) {
  if (!(await mayReach(join(own, programNames[0]), user))) return false;
  const needed = [
    ...parts.map((part) => join(dirname(own), part)),
    ...programNames.map((name) => join(own, name)),
  ];
  const all = await Promise.all(needed.map((path) => stat(path).catch(() => undefined)));
  return (
    all.every(
      (permissions) => permissions === undefined || mayUse(permissions, user, read | enter),
    ) && (await mayReadAll(join(dirname(own), 'share'), user))
  );
}

async function mayReadAll(folder, user) {
  const files = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const all = await Promise.all(
    files.filter((entry) => entry.isFile()).map((entry) => stat(join(folder, entry.name))),
  );
  return all.every((permissions) => mayUse(permissions, user, read));
}

async function copyPrograms(from, into) {
  const missing = (
    await Promise.all(
      parts.map((part) =>
        lstat(join(from, part)).then(
          () => [],
          () => [part],
        ),
      ),
    )
  ).flat();
  if (missing.length > 0)
    throw new Error(
      `the server's user may not use ${from}, which has no ${missing.join(' and ')} to copy either.`,
    );
  await mkdir(into);
  await openToAll(into);
  await copyFile(join(from, 'pg-symlinks.json'), join(into, 'pg-symlinks.json')).catch(
    () => undefined,
  );
  await Promise.all(parts.map((part) => copyFolder(join(from, part), join(into, part))));
}

/** Copies a folder, in hard links where the file system and the file's permissions allow that, and opens it to everybody. */
async function copyFolder(from, into) {
  await mkdir(into);
  await openToAll(into);
  const entries = (await readdir(from, { withFileTypes: true })).filter(
    ({ name }) => !name.endsWith('.a'),
  );
  await Promise.all(
    entries.map((entry) => copyEntry(entry, join(from, entry.name), join(into, entry.name))),
  );
}

async function copyEntry(entry, from, into) {
  if (entry.isDirectory()) return copyFolder(from, into);
  if (entry.isSymbolicLink()) return symlink(await readlink(from), into);
  const { mode } = await stat(from);
  const wanted = (mode & constants.S_IXUSR) === 0 ? 0o644 : 0o755;
  const isOpen = (mode & wanted) === wanted;
  if (
    isOpen &&
    (await link(from, into).then(
      () => true,
      () => false,
    ))
  )
    return;
  await copyFile(from, into, constants.COPYFILE_FICLONE);
  await chmod(into, wanted);
}

/** Whatever the umask is. */
function openToAll(folder) {
  return chmod(folder, 0o755);
}
