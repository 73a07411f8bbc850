// Runs the `initdb` and `postgres` of a folder, as the user that it is told.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';

/** @typedef {import('./server-user.mjs').ServerUser} ServerUser */
/** @typedef {{ programs: string, directory: string, data: string, port: number, password: string, flags: readonly string[], user: ServerUser | undefined, remember: (text: string) => void }} PostgresOrder */

const isWindows = process.platform === 'win32';

/** A PostgreSQL with its data in `data`, all else in `directory`: `initialise` once, then `start` and `stop` in turn. @param {PostgresOrder} order */
export function createPostgres({
  programs,
  directory,
  data,
  port,
  password,
  flags,
  user,
  remember,
}) {
  const options = {
    cwd: directory,
    env: environmentFor(programs, directory),
    ...(user && { uid: user.uid, gid: user.gid }),
  };
  const run = (program, args, readyWords) =>
    runProgram(join(programs, program), args, { options, user, remember, readyWords });
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server;
  return {
    async initialise() {
      const passwordFile = join(directory, 'password');
      await mkdir(data);
      await chmod(data, 0o700);
      await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
      if (user !== undefined)
        await Promise.all([data, passwordFile].map((path) => chown(path, user.uid, user.gid)));
      await run('initdb', [
        `--pgdata=${data}`,
        '--auth=scram-sha-256',
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--no-sync',
        '--encoding=UTF8',
        '--locale=C',
      ]).ended;
      await rm(passwordFile);
    },
    async start() {
      const { child, ready, ended } = run(
        'postgres',
        ['-D', data, '-p', String(port), ...flags],
        'ready to accept connections',
      );
      server = child;
      await Promise.race([
        ready,
        ended.then(() => Promise.reject(new Error('The server ended at once.'))),
      ]);
      // From now on its end is its owner's business, who sees the sessions break.
      ended.catch(() => undefined);
    },
    async stop() {
      if (server?.pid === undefined || server.exitCode !== null || server.signalCode !== null)
        return;
      const ended = once(server, 'exit');
      // "Fast" shutdown: sessions are ended, files are in order. Windows has no such signal.
      if (isWindows) execFile('taskkill', ['/pid', String(server.pid), '/f', '/t']);
      else server.kill('SIGINT');
      await ended;
    },
  };
}

/** Messages in English, libraries of the same installation first, and a home that the user may enter. */
function environmentFor(programs, directory) {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:PG|LC_|LANG)/.test(name)),
  );
  const libraries = join(dirname(programs), 'lib');
  const hasOwn = existsSync(join(libraries, 'libpq.so.5'));
  return {
    ...inherited,
    LC_ALL: 'C',
    HOME: directory,
    TMPDIR: directory,
    ...(hasOwn && {
      LD_LIBRARY_PATH: [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
    }),
  };
}

/** `ready` fulfils when the program wrote the words, `ended` when it ended well; a bad end rejects with what it wrote last. */
function runProgram(file, args, { options, user, remember, readyWords }) {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let written = '';
  let isReady;
  const ready = new Promise((resolve) => (isReady = resolve));
  child.stderr?.on('data', (bytes) => {
    remember(bytes);
    written = `${written}${String(bytes)}`.slice(-4_000);
    if (readyWords !== undefined && written.includes(readyWords)) isReady();
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(describeRefusal(error, file, user), { cause: error })),
    );
    child.once('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              `${basename(file)} ended with ${signal ?? `exit code ${code}`} and ${describeWords(written)}`,
            ),
          ),
    );
  });
  return { child, ready, ended };
}

/** The last lines of what a program wrote, as the end of a sentence. @param {string} written */
function describeWords(written) {
  const lines = written.trim().split('\n').slice(-12);
  return lines.join('') === '' ? 'wrote nothing.' : `wrote:\n${lines.join('\n')}`;
}

function describeRefusal(error, file, user) {
  if (error.code === 'ENOENT' && existsSync(file))
    return `${file} is there, but the C library that it was made for (glibc) is not.`;
  if (error.code === 'EACCES')
    return `${file} may not be run here (${error.message}); a file system that is mounted with noexec forbids it.`;
  if (user !== undefined && ['EPERM', 'EINVAL'].includes(error.code))
    return `the system does not let root run a program as the user ${user.name} (${error.message}).`;
  return error.message;
}
