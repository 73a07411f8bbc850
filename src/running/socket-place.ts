import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { chmod, lstat, mkdtemp, readdir, rmdir, stat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Where a listener's socket stands: without a name, below its process in /proc, on Linux; elsewhere alone in a folder that only this
 * user may enter; a named pipe on Windows.
 */
export interface SocketPlace extends AsyncDisposable {
  readonly path: string;
}

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, the closing zero included. */
const longestPath = 103;
const prefix = 'poolguard-run-';
/** The process id of the owner, and what `mkdtemp` adds. */
const folderName = /^poolguard-run-(\d{1,10})-[A-Za-z0-9]{6}$/;
const socketName = 's';
/** A folder without a socket may belong to somebody who is just about to make it. */
const youngMs = 60_000;

/**
 * Makes a place for a socket that nobody else can guess or enter, and removes what listeners left behind that were killed.
 * @param folders Folders for temporary things, best first.
 * @throws When no folder can be made in any of them.
 */
export async function createSocketPlace(
  folders: readonly string[] = temporaryFolders(),
): Promise<SocketPlace> {
  if (process.platform === 'win32')
    return {
      path: `\\\\.\\pipe\\${prefix}${process.pid}-${randomBytes(16).toString('hex')}`,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  await Promise.all(folders.map((folder) => removeStalePlaces(folder)));
  const folder = await createFolder(folders);
  const removeAtExit = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  return {
    path: join(folder, socketName),
    [Symbol.asyncDispose]: async () => {
      await removePlace(folder);
      // Last, for the process may end in the middle of the removal.
      process.off('exit', removeAtExit);
    },
  };
}

/** After listening: nobody but this user may connect, whatever the umask said. Gives the place where the socket is from now on. */
export async function closeToOthers(place: SocketPlace): Promise<SocketPlace> {
  if (process.platform === 'win32') return place;
  await chmod(place.path, 0o600);
  return (await takeName(place)) ?? place;
}

/** `O_PATH` of open(2): holds a file without opening it, which a socket refuses. */
const holdOnly = 0o10_000_000;

/**
 * The socket stays reachable through this process for as long as that lives, and no file is left, however it ends.
 * Undefined where the system has no such way.
 */
async function takeName(place: SocketPlace): Promise<SocketPlace | undefined> {
  if (process.platform !== 'linux') return undefined;
  const held = openSync(place.path, holdOnly);
  const path = `/proc/${process.pid}/fd/${held}`;
  if (!(await isWayFor(path, place.path))) return void closeSync(held);
  await place[Symbol.asyncDispose]();
  let isHeld = true;
  return {
    path,
    [Symbol.asyncDispose]: () => {
      // A second time the number may be another file's.
      if (isHeld) closeSync(held);
      isHeld = false;
      return Promise.resolve();
    },
  };
}

/** What may not be traced by its own user, such as a Node.js with capabilities, belongs to root in /proc (proc(5)). */
async function isWayFor(path: string, socket: string): Promise<boolean> {
  const [way, owner, { ino }] = await Promise.all([
    stat(path).catch(() => null),
    lstat(dirname(path)).catch(() => null),
    stat(socket),
  ]);
  return way?.ino === ino && owner?.uid === process.getuid?.();
}

/** The folder of this user's session where the system has one, for it is private and emptied at the end. */
function temporaryFolders(): readonly string[] {
  const ofSession = process.env['XDG_RUNTIME_DIR'];
  return [...(ofSession?.startsWith('/') === true ? [ofSession] : []), tmpdir(), '/tmp'];
}

async function createFolder(folders: readonly string[]): Promise<string> {
  const start = `${prefix}${process.pid}-`;
  const short = folders
    .map((folder) => join(folder, start))
    .filter((path) => Buffer.byteLength(join(`${path}XXXXXX`, socketName)) <= longestPath);
  for (const path of short) {
    const made = await mkdtemp(path).catch(() => null);
    if (made !== null) return made;
  }
  throw new Error(
    `No directory for the socket of running applications could be used; tried ${folders.join(', ')}. Set TMPDIR to a writable directory with a short path.`,
  );
}

/** Removes the places of owners that were killed: ours by user, theirs by a process that is gone, with a socket where nobody listens. */
async function removeStalePlaces(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const dead = names.filter((name) => isOfTheDead(name));
  await Promise.all(dead.map((name) => removeIfStale(join(folder, name))));
}

function isOfTheDead(name: string): boolean {
  const pid = folderName.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** A process of another container may share the folder and not be seen here, so the socket itself is asked too. */
async function removeIfStale(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found === null || !found.isDirectory() || found.uid !== process.getuid?.()) return;
  const answer = await whoListens(join(folder, socketName));
  if (answer === 'nobody' || (answer === 'nothing there' && Date.now() - found.mtimeMs > youngMs))
    await removePlace(folder);
}

function whoListens(path: string): Promise<'somebody' | 'nobody' | 'nothing there'> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('somebody');
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        error.code === 'ECONNREFUSED'
          ? 'nobody'
          : error.code === 'ENOENT'
            ? 'nothing there'
            : 'somebody',
      ),
    );
  });
}

/** Only what a listener makes; a folder with anything else in it stays. */
async function removePlace(folder: string): Promise<void> {
  await unlink(join(folder, socketName)).catch(() => undefined);
  await rmdir(folder).catch(() => undefined);
}
