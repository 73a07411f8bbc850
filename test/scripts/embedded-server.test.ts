import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedServer } from '../../scripts/embedded-server.ts';

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

async function startOwner(): Promise<{ process: ChildProcess; owned: Owned }> {
  const child = spawn(process.execPath, [owner], { stdio: ['ignore', 'pipe', 'inherit'] });
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
    await expect.poll(() => accepts(owned.port), { timeout: 15_000 }).toBe(false);
    await expect.poll(() => exists(owned.directory), { timeout: 15_000 }).toBe(false);
  },
);

test('stop waits until port and folder are free, and may be called twice', async () => {
  const server = await startEmbeddedServer();
  await server.stop();
  await server.stop();
  expect([await accepts(server.port), await exists(server.directory)]).toEqual([false, false]);
});

test('a server that cannot start says why in a sentence', async () => {
  await expect(startEmbeddedServer({ settings: { no_such_setting: 'on' } })).rejects.toThrow(
    /did not start.*no_such_setting/s,
  );
});
