import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startEmbeddedServer } from '../../scripts/embedded-server.ts';
import { findNpmPrograms } from '../../scripts/npm-postgres.mjs';

interface Owned {
  readonly port: number;
  readonly directory: string;
}

let folder: string;
let owner: string;

/** A process that starts a server, tells where it is, and then waits to be killed. Its folder lies beside dist/, one level below the root. */
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, '../../.cache-'));
  owner = join(folder, 'owner.mjs');
  await build({
    stdin: {
      contents: `
        import { startEmbeddedServer } from './scripts/embedded-server.ts';
        const { port, directory } = await startEmbeddedServer();
        console.log(JSON.stringify({ port, directory }));
      `,
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile: owner,
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function startOwner(
  script = 'exec "$0" "$1"',
  env = process.env,
): Promise<{ process: ChildProcess; owned: Owned }> {
  const child = spawn('sh', ['-c', script, process.execPath, owner], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, owned: JSON.parse(line.toString()) as Owned };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket()
      .once('connect', () => finish(true))
      .once('error', () => finish(false));
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.connect(port, '127.0.0.1');
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a server does not outlive its owner, ended by %s',
  async (signal) => {
    const { process: child, owned } = await startOwner();
    expect(await accepts(owned.port)).toBe(true);
    expect(await exists(owned.directory)).toBe(true);
    child.kill(signal);
    await expect.poll(() => accepts(owned.port)).toBe(false);
    await expect.poll(() => exists(owned.directory)).toBe(false);
  },
);

test('stop waits until port and folder are free, and may be called twice', async () => {
  const server = await startEmbeddedServer();
  await server.stop();
  await server.stop();
  expect([await accepts(server.port), await exists(server.directory)]).toEqual([false, false]);
});

test('a server that cannot start says what it wrote itself', async () => {
  await expect(startEmbeddedServer({ settings: { no_such_setting: 'on' } })).rejects.toThrow(
    /did not start.*unrecognized configuration parameter "no_such_setting"/s,
  );
});

test('an initdb that cannot be started is named', async () => {
  const programs = join(folder, 'nothing');
  await mkdir(programs);
  await expect(startEmbeddedServer({ programs })).rejects.toThrow(
    /did not start.*ENOENT.*nothing/s,
  );
});

test('a keeper that breaks down itself says why', async () => {
  vi.stubEnv('NODE_OPTIONS', '--require=./no-such-module.cjs');
  await expect(startEmbeddedServer().finally(() => vi.unstubAllEnvs())).rejects.toThrow(
    /did not start: its keeper process ended with exit code 1 and wrote:.*Cannot find module '\.\/no-such-module\.cjs'/s,
  );
});

describe('when everything is closed to others', () => {
  let programs: string;

  /** A copy of the installed programs, as a clone below the home of root has it that was made with umask 077. */
  beforeAll(async () => {
    programs = join(folder, 'closed', 'bin');
    await cp(dirname(findNpmPrograms()), dirname(programs), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await Promise.all(
      (await readdir(dirname(programs), { recursive: true, withFileTypes: true }))
        .filter((entry) => !entry.isSymbolicLink())
        .map(({ parentPath, name }) => closeToOthers(join(parentPath, name))),
    );
    await closeToOthers(dirname(programs));
  });

  async function closeToOthers(path: string): Promise<void> {
    const { mode } = await stat(path);
    await chmod(path, mode & 0o700);
  }

  test('the programs run all the same, also for root', async () => {
    const server = await startEmbeddedServer({ programs });
    expect(await accepts(server.port)).toBe(true);
    await server.stop();
    expect(await exists(server.directory)).toBe(false);
    // Neither are they opened.
    expect((await stat(join(programs, 'postgres'))).mode & 0o077).toBe(0);
  });

  test('a umask of 077 and a temporary folder of its own change nothing', async () => {
    const temporary = join(folder, 'a temporäry folder');
    await mkdir(temporary, { mode: 0o700 });
    const { process: child, owned } = await startOwner('umask 077; exec "$0" "$1"', {
      ...process.env,
      TMPDIR: temporary,
      LC_ALL: 'de_DE.UTF-8',
      PGDATA: '/nowhere',
      HOME: '/nowhere',
    });
    expect(await accepts(owned.port)).toBe(true);
    child.kill();
    await expect.poll(() => exists(owned.directory), { timeout: 15_000 }).toBe(false);
    expect(await readdir(temporary)).toEqual([]);
  });

  test('what npm could not link is linked', async () => {
    const list = JSON.parse(
      await readFile(join(dirname(programs), 'pg-symlinks.json'), 'utf8'),
    ) as readonly { readonly target: string }[];
    const links = list.map(({ target }) =>
      join(dirname(programs), '..', target.replace(/^native/, 'closed')),
    );
    await Promise.all(links.map((path) => rm(path)));
    const server = await startEmbeddedServer({ programs });
    await server.stop();
    expect(await Promise.all(links.map(exists))).toEqual(links.map(() => true));
  });
});
