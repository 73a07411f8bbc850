import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../monitor/settings.ts';
import { healthCard } from '../../src/running/health-card.ts';
import { codeBlocksOf } from '../support/code-blocks.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { modules } from '../support/packed-plugin.ts';
import { runProgram, type Finished } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/monitor.md'), 'utf8');
const readme = readFileSync(join(root, 'monitor/README.md'), 'utf8');

function block(markdown: string, language: string, part: string): string {
  const found = codeBlocksOf(markdown).find(
    (each) => each.language === language && each.text.includes(part),
  );
  if (found === undefined)
    throw new Error(`There is no ${language} block with ${part} any more; adapt this test.`);
  return found.text;
}

let folder: TemporaryFolder;
let database: FreshDatabase;
let connection: Readonly<Record<string, string>>;
beforeAll(async () => {
  [folder, database] = await Promise.all([
    createTemporaryFolder({
      'package.json': '{ "type": "module", "scripts": { "start": "node shop.mjs" } }',
      'shop.mjs': block(page, 'js', 'listOrders'),
    }),
    createFreshDatabase(),
  ]);
  await symlink(modules, join(folder.path, 'node_modules'), 'junction');
  const { hostname, port, username, password } = new URL(database.url);
  connection = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: database.name,
  };
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await database.drop();
});

function shell(command: string, more: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return runProgram('sh', ['-c', command.trim()], folder.path, { ...connection, ...more });
}

/** Without what differs from run to run. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/backend \d+/gu, 'backend 1')
    .replace(/[\d.]+ ms(?=,|$)/gmu, '1 ms');
}

/** Runs the application with another last line; its places are told as those of `shop.mjs`. */
async function runEndedBy(file: string, lastLine: string): Promise<Finished> {
  const lines = block(page, 'js', 'listOrders').trimEnd().split('\n');
  await folder.write({ [file]: [...lines.slice(0, -1), lastLine, ''].join('\n') });
  const finished = await shell(`node --import poolguard-monitor/register ${file}`);
  return { ...finished, stderr: finished.stderr.replaceAll(file, 'shop.mjs') };
}

describe('docs/monitor.md', () => {
  test('the first look is what the command prints', async () => {
    const { stderr, code } = await shell(block(page, 'sh', 'shop.mjs'));
    expect(code).toBe(0);
    expect(plain(stderr)).toBe(plain(block(page, 'text', '[poolguard]')));
  });

  const shutdown = block(page, 'js', 'SIGTERM');
  const raise = "process.kill(process.pid, 'SIGTERM');";

  test('a shutdown says what pool.end() waits for, and at its limit what never came back', async () => {
    const { stderr, code } = await runEndedBy('shutdown.mjs', `${shutdown}${raise}`);
    expect(code).toBe(1);
    expect(plain(stderr).split('\n').slice(1).join('\n')).toBe(
      plain(block(page, 'text', 'pool.end() waits')),
    );
  });

  test.each([
    ['an error that nobody catches', 'throw new Error("an error");', true],
    ['nothing left to do', 'pool._clients.forEach((client) => client.unref());', true],
    [
      'a signal that the application does not handle',
      `${raise}\nsetTimeout(() => undefined, 9_000);`,
      false,
    ],
  ])('%s: "never released" is as the table says', async (_name, end, isTold) => {
    const { stderr } = await runEndedBy('ended.mjs', end);
    expect(stderr).toContain('[poolguard] shop: watched');
    expect(stderr.includes('1 checkout never released')).toBe(isTold);
  });

  test('the environment does the same below a script', async () => {
    const { stderr } = await shell(block(page, 'sh', 'npm start'), { POOLGUARD_HELD_MS: '200' });
    expect(stderr).toMatch(/^\[poolguard\] shop: .*held for more than 200 ms.* at shop\.mjs:6:/mu);
  });

  test('Prometheus finds every metric of the table, and no other', async () => {
    const port = await freePort();
    await folder.write({
      'telemetry.mjs': block(page, 'js', 'PrometheusExporter').replace('9464', String(port)),
      'server.mjs':
        "import pg from 'pg';\nconst pool = new pg.Pool({ max: 2, application_name: 'shop' });\nawait pool.query('SELECT 1');\nsetInterval(() => undefined, 1_000);\n",
    });
    const child = spawn('sh', ['-c', `exec env ${block(page, 'sh', 'telemetry').trim()}`], {
      cwd: folder.path,
      env: { ...process.env, ...connection },
      stdio: 'inherit',
    });
    try {
      const scraped = async () =>
        (
          await fetch(`http://127.0.0.1:${port}/metrics`).then(
            (response) => response.text(),
            () => '',
          )
        )
          .split('\n')
          .filter((line) => /[{,]db_client_connection_pool_name="shop"/u.test(line));
      const nameOf = (line: string) =>
        line.replace(/(?:_total|_bucket|_sum|(?<=time)_count)?\{.*/u, '');
      const table = [...page.matchAll(/^\| `(db\.client\.connection\.[\w.]+)` \|/gmu)].map(
        ([, name = '']) => name.replaceAll('.', '_'),
      );
      await expect
        .poll(async () => [...new Set((await scraped()).map(nameOf))].sort())
        .toEqual([...table].sort());
    } finally {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    }
  });

  test('the health card has the thresholds that it names', () => {
    const { queue, growQueue, freeShare, p95Ms, heldShare, windowMs, steadyMs } = healthCard;
    expect({ queue, growQueue, freeShare, p95Ms, heldShare, windowMs, steadyMs }).toEqual({
      queue: 10,
      growQueue: 30,
      freeShare: 0.1,
      p95Ms: 1_000,
      heldShare: 0.25,
      windowMs: 10_000,
      steadyMs: 3_000,
    });
    for (const part of [
      `${queue} callers or more`,
      `more than ${growQueue} callers`,
      `less than ${freeShare * 100} % of the clients are free`,
      `for ${p95Ms / 1_000} s or longer`,
      `at least ${heldShare * 100} % of the clients`,
      `at least ${steadyMs / 1_000} s`,
    ])
      expect(page).toContain(part);
  });
});

describe('monitor/README.md', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| (?:`(\w+)`)? ?\| `(.+?)` \| (.+) \|$/gmu)].map(
    ([, option = '', variable, standard = '']) => ({ option, variable, standard }),
  );

  test('the table names every option', () => {
    const options = [
      ...readFileSync(join(root, 'monitor/options.ts'), 'utf8').matchAll(
        /^ {2}readonly (\w+)\?:/gmu,
      ),
    ].map(([, name]) => name);
    expect(rows.map(({ option }) => option)).toEqual(options);
  });

  test('with the default that holds, and a variable that is heard', () => {
    const others: Readonly<Record<string, string>> = {
      sampleMs: '10',
      stacks: 'off',
      report: 'otel',
    };
    for (const { option, variable, standard } of rows.slice(1)) {
      const valueOf = (environment: Readonly<Record<string, string>>) =>
        new Map<string, unknown>(Object.entries(readSettings({}, environment).settings)).get(
          option,
        );
      expect([option, valueOf({})]).toEqual([option, JSON.parse(standard)]);
      expect([option, valueOf({ [variable ?? '']: others[option] ?? '1' })]).not.toEqual([
        option,
        JSON.parse(standard),
      ]);
    }
  });

  test('its example runs', async () => {
    await folder.write({ 'orders.mjs': block(readme, 'js', 'watchPool') });
    const { stdout } = await shell('node orders.mjs');
    expect(stdout).toBe('{ total: 0, idle: 0, waiting: 0, max: 10 }\n');
  });

  test.each([
    ['server.js', readme],
    ['app.js', readFileSync(join(root, 'README.md'), 'utf8')],
  ])('its command runs, with %s', async (file, document) => {
    await folder.write({ [file]: block(page, 'js', 'listOrders') });
    const command = block(document, 'sh', file).trim().split('\n').at(-1) ?? '';
    expect((await shell(command)).stderr).toContain('[poolguard] shop: 1 checkout never released');
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
