import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../support/fresh-database.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const fixtures = join(root, 'test/fixtures/monitor');
const register = join(root, 'monitor/dist/register.js');
const imported = ['--import', pathToFileURL(register).href];

let database: FreshDatabase;
let folder: TemporaryFolder;

beforeAll(async () => {
  [database, folder] = await Promise.all([createFreshDatabase(), createTemporaryFolder()]);
});

afterAll(() => Promise.all([database.drop(), folder[Symbol.asyncDispose]()]));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an application to its end, which begins when it has said `enough` on standard error. */
async function run(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  enough?: RegExp,
): Promise<Ended> {
  const env = {
    ...process.env,
    DATABASE_URL: database.url,
    POOLGUARD_HELD_MS: '100',
    ...variables,
  };
  const child = spawn(process.execPath, args, {
    cwd: fixtures,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    stderr += more;
    if (enough?.test(stderr) !== false) child.stdin.end();
  });
  const [stdout, [code]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** `orders.ts:10`, of the line that a comment marks. */
function marked(file: string, comment: string): string {
  const lines = readFileSync(join(fixtures, file), 'utf8').split('\n');
  return `${file}:${lines.findIndex((line) => line.endsWith(`// ${comment}`)) + 1}:`;
}

describe.concurrent('an unchanged application', () => {
  test.each([
    ['registered before tsx', [...imported, '--import', 'tsx']],
    ['registered after tsx', ['--import', 'tsx', ...imported]],
  ])('a leak in TypeScript is told by its line in the source: %s', async (_name, args) => {
    const { code, stdout, stderr } = await run([...args, 'orders.ts'], {}, / held for more /u);
    expect(stdout).toBe('order 7\n');
    expect(stderr).toContain(
      '[poolguard] orders: watched, pool of pg, max 10, created at orders.ts:7:14',
    );
    expect(stderr).toMatch(
      new RegExp(
        String.raw`orders: checkout 1 held for more than 100 ms, backend \d+, acquired at ${marked('orders.ts', 'leak')}\d+ \(findOrder\)`,
        'u',
      ),
    );
    expect(stderr).toContain('1 checkout never released');
    expect(code).toBe(3);
  });

  test('an application that is bundled together with its driver is seen, and its source map read', async () => {
    const outfile = join(folder.path, 'bundle.cjs');
    await build({
      entryPoints: [join(fixtures, 'orders.ts')],
      outfile,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'cjs',
      external: ['pg-native'],
      sourcemap: true,
      logLevel: 'silent',
    });
    const { stderr } = await run([...imported, outfile], {}, / held for more /u);
    expect(stderr).toMatch(
      new RegExp(`held for more than 100 ms.* acquired at ${marked('orders.ts', 'leak')}`, 'u'),
    );
  });

  test.each(['pg', 'pg-oldest', 'pg-pool-older'])('CommonJS with callbacks: %s', async (driver) => {
    const { code, stdout, stderr } = await run(['-r', register, 'callbacks.cjs', driver]);
    expect(stdout).toBe('Release called on client which has already been released to the pool.');
    expect(stderr).toContain('callbacks: error: a client was released twice');
    expect(stderr).toContain(`released again at ${marked('callbacks.cjs', 'again')}`);
    expect(stderr).toContain(`acquired at ${marked('callbacks.cjs', 'acquire')}`);
    expect(stderr).not.toContain('never released');
    expect(code).toBe(0);
  });

  test.each([
    ['worker', 'thread true'],
    ['cluster', 'thread false'],
  ])('NODE_OPTIONS reach a %s', async (kind, name) => {
    const { stderr } = await run(['threads.mjs', kind], { NODE_OPTIONS: imported.join('=') });
    expect(stderr).toContain(`[poolguard] ${name}: 1 checkout never released`);
    expect(stderr).toContain(`acquired at ${marked('threads.mjs', 'leak')}`);
  });

  test('a program without a pool hears nothing, whatever the environment says', async () => {
    expect(
      await run([...imported, '-e', 'setTimeout(() => process.stdout.write("done"), 20)'], {
        POOLGUARD_HELD_MS: 'soon',
      }),
    ).toEqual({ code: 0, stdout: 'done', stderr: '' });
  });

  test('a pool keeps its process no longer than without the monitor, and a bad value is told once', async () => {
    const script = `const { Pool } = require('pg'); const pool = new Pool({ connectionString: process.env.DATABASE_URL, allowExitOnIdle: true, idleTimeoutMillis: 0 }); pool.query('SELECT 1').then(() => process.stdout.write('done'));`;
    // A client that kept the process would keep it indefinitely.
    const { code, stdout, stderr } = await run([...imported, '-e', script], {
      POOLGUARD_HELD_MS: 'soon',
    });
    expect([code, stdout]).toEqual([0, 'done']);
    expect(stderr.match(/POOLGUARD_HELD_MS must be a number/gu)).toHaveLength(1);
  });
});
