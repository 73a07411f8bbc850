// PostgreSQL and PgBouncer refuse to run as root. An unprivileged user that every system has stands in; none is made.
import { constants, existsSync } from 'node:fs';
import { access, readFile, realpath, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';

/** @typedef {{ readonly name: string, readonly uid: number, readonly gid: number }} ServerUser */
/** @typedef {{ readonly mode: number, readonly uid: number, readonly gid: number }} Permissions */

const preferred = ['nobody', 'daemon', 'postgres'];
/** What `mayUse` may ask for. */
export const read = 4;
export const enter = 1;

/** Where Linux keeps files in memory. */
const memoryFolder = '/dev/shm';
/** A container may have 64 MB there, and a server of the tests takes some 300. */
const neededMemoryBytes = 4 * 2 ** 30;

/** Whom servers run as when this process is root's; undefined for everybody else, who runs them as themselves. @returns {Promise<ServerUser | undefined>} */
export async function findServerUser() {
  if (process.getuid?.() !== 0) return undefined;
  const user = pickUser(await readFile('/etc/passwd', 'utf8'));
  if (user === undefined)
    throw new Error(
      `Servers do not run as root, and /etc/passwd names none of ${preferred.join(', ')}.`,
    );
  return user;
}

/** The first of the preferred users in the text of /etc/passwd, if it is not another name of root. @param {string} passwd @returns {ServerUser | undefined} */
export function pickUser(passwd) {
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  return preferred.flatMap((name) =>
    users.filter(
      (user) =>
        user.name === name &&
        Number.isInteger(user.uid) &&
        user.uid !== 0 &&
        Number.isInteger(user.gid),
    ),
  )[0];
}

/** Whether those permissions give that user these rights. @param {Permissions} permissions @param {ServerUser} user @param {number} wanted */
export function mayUse({ mode, uid, gid }, user, wanted) {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}

/** Whether a user may enter every folder above a path, by what each of them permits. @param {string} path @param {ServerUser} user @returns {Promise<boolean>} */
export async function mayReach(path, user) {
  for (let folder = dirname(await realpath(path)); ; folder = dirname(folder)) {
    if (!mayUse(await stat(folder), user, enter)) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** The system's temporary folder, or when the server's user may not enter that, another one. @param {ServerUser | undefined} user @returns {Promise<string>} */
export async function findTemporaryFolder(user) {
  const usual = tmpdir();
  // One that is not there is named by whoever writes into it.
  if (user === undefined || !existsSync(usual)) return usual;
  const folders = [...new Set([usual, '/tmp', '/var/tmp'])];
  for (const folder of folders) if (await mayEnter(folder, user)) return folder;
  throw new Error(
    `as root it runs as the user ${user.name}, who may enter none of ${folders.join(', ')}. Set TMPDIR to a folder that everybody may enter.`,
  );
}

/** A folder whose files are in memory, with room for a server's; undefined where there is none. @param {ServerUser | undefined} user @returns {Promise<string | undefined>} */
export async function findMemoryFolder(user) {
  const isWritable = await access(memoryFolder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return undefined;
  const { bavail, bsize } = await statfs(memoryFolder);
  if (bavail * bsize < neededMemoryBytes) return undefined;
  return user === undefined || (await mayEnter(memoryFolder, user)) ? memoryFolder : undefined;
}

async function mayEnter(folder, user) {
  if (!existsSync(folder)) return false;
  return mayUse(await stat(folder), user, enter) && mayReach(folder, user);
}
