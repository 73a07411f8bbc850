import { existsSync } from 'node:fs';
import { readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../scripts/embedded-server.ts';
import { startEditor, type Editor } from './support/editor.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { chooseRow, openFile, quickRows, runCommand } from './support/quick-pick.ts';
import { foldView, problemsOf, screenshot, showProblems, showView } from './support/workbench.ts';

const root = join(import.meta.dirname, '../..');

const orders = `import { pool } from './db.ts';

interface Order {
  readonly id: number;
  readonly total: number;
}

/** The order, or undefined when there is none with that number. */
export async function findOrder(id: number): Promise<Order | undefined> {
  const client = await pool.connect();
  const { rows } = await client.query<Order>('SELECT id, 10 * id AS total FROM generate_series(1, 100) AS id WHERE id = $1', [id]);
  const [order] = rows;
  if (order === undefined) return undefined;
  client.release();
  return order;
}
`;

const server = `import { createServer } from 'node:http';
import { findOrder } from './orders.ts';

createServer(async (request, response) => {
  const order = await findOrder(Number(request.url?.split('/').at(-1)));
  response.writeHead(order === undefined ? 404 : 200).end(JSON.stringify(order ?? null));
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

const db = (url: string): string => `import { Pool } from 'pg';

export const pool = new Pool({ connectionString: '${url}', application_name: 'shop-api', max: 5, connectionTimeoutMillis: 30_000 });
pool.on('error', (error) => console.error('idle client', error));
`;

let editor: Editor;
let port: number;

beforeAll(async () => {
  port = await findFreePort();
  editor = await startEditor(
    {
      'src/orders.ts': orders,
      'src/server.ts': server,
      'src/db.ts': db(postgresUrl()),
      'package.json': JSON.stringify({
        name: 'shop-api',
        type: 'module',
        scripts: { build: 'tsc', dev: `POOLGUARD_HELD_MS=1000 tsx src/server.ts ${port}` },
        dependencies: { pg: '^8' },
      }),
      '.gitignore': 'node_modules',
    },
    {
      settings: {
        'terminal.integrated.defaultProfile.linux': 'sh',
        'terminal.integrated.profiles.linux': { sh: { path: '/bin/sh' } },
        'terminal.integrated.env.linux': {
          npm_config_loglevel: 'error',
          NODE_OPTIONS: '--no-deprecation',
        },
      },
    },
  );
  await symlink(join(root, 'node_modules'), join(editor.folder, 'node_modules'));
});

afterAll(() => editor.stop());

test('an application that is run under watch shows its pool, and a leak by the line of TypeScript that took the client', async () => {
  const { page } = editor;
  await openFile(page, 'server.ts');
  const view = await showView(page, 'Running apps');
  await view.locator('poolguard-running poolguard-button.run').click();
  await quickRows(page).first().waitFor();
  expect(
    (await quickRows(page).locator('.label-name').allInnerTexts()).map((text) => text.trim()),
  ).toEqual([
    'npm run dev',
    expect.stringContaining('tsx src/server.ts'),
    'npm run build',
    'tsc',
    expect.stringContaining('An empty terminal'),
  ]);
  await chooseRow(page, 'npm run dev');
  await expect.poll(() => answer(1)).toBe(200);
  await view
    .locator('article[data-app^="server.ts"] poolguard-running-pool [data-pool=shop-api]')
    .waitFor();
  await view.locator('.counters', { hasText: /0\s*in use\s*1\s*idle/ }).waitFor();

  expect(await Promise.all([answer(404), answer(405), answer(406)])).toEqual([404, 404, 404]);
  await view.locator('.counters', { hasText: /3\s*in use/ }).waitFor();
  await view.locator('.held li', { hasText: 'src/orders.ts:10' }).waitFor();
  await view.locator('.held .count', { hasText: '3' }).waitFor();
  const asked = Promise.allSettled([answer(407), answer(408), answer(9), answer(10)]);
  await view.locator('.counters', { hasText: /5\s*in use\s*0\s*idle\s*2\s*waiting/ }).waitFor();
  await view.locator('.held .count', { hasText: '5' }).waitFor();
  await page.mouse.move(900, 60);
  await view.getByRole('button', { name: 'src/orders.ts:10' }).click();
  await page.locator('.statusbar-item', { hasText: 'Ln 10, Col 29' }).waitFor();
  await page.locator('.tab.active', { hasText: 'orders.ts' }).waitFor();
  await view
    .locator('.verdict.attention', { hasText: '5 of 5 clients have been checked out for long' })
    .waitFor();
  await foldView(page, 'Pools');
  await foldView(page, 'Connections');
  await screenshot(page, 'running-apps.png');
  await showProblems(page);
  await problemsOf(page, 'Seen at run time')
    .filter({ hasText: 'Connection leak' })
    .filter({ hasText: /5 of these now/ })
    .waitFor();
  await runCommand(page, 'Terminal: Focus Terminal');
  await stopApp(view);
  await asked;
});

test('new terminals are watched on request and until they are not; nobody else may look into the folder of the socket, which goes with the window; the token is in no log and no setting', async () => {
  const { page } = editor;
  const view = await showView(page, 'Running apps');
  await runCommand(page, 'Poolguard: Watch pools in new terminals');
  await view.getByText('Pools in new terminals are watched').waitFor();
  const watched = await variablesOfNewTerminal('watched');
  const { POOLGUARD_SOCKET: socket = '', POOLGUARD_TOKEN: token = '' } = watched;
  expect(watched['NODE_OPTIONS']).toMatch(
    /^--no-deprecation --import=file:\/\/\/\S+pool-watch\.cjs$/u,
  );
  expect(existsSync(socket)).toBe(true);
  expect((await stat(dirname(socket))).mode & 0o077).toBe(0);
  await runCommand(page, 'Poolguard: Stop watching pools in new terminals');
  expect(await variablesOfNewTerminal('unwatched')).toEqual({ NODE_OPTIONS: '--no-deprecation' });
  expect(
    editor.complaints.filter(
      (line) => line.includes('Content Security Policy') && line.includes('poolguard'),
    ),
  ).toEqual([]);
  expect(token).toMatch(/^[0-9a-f]{32,}$/u);
  expect((await editor.writtenText()).includes(token)).toBe(false);
  await runCommand(page, 'Developer: Reload Window');
  await expect.poll(() => existsSync(dirname(socket))).toBe(false);
});

async function answer(id: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/orders/${id}`).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Its clients never came back, and stay to be seen. */
async function stopApp(view: FrameLocator): Promise<void> {
  await editor.page.locator('.terminal.xterm').first().click();
  await editor.page.keyboard.press('Control+c');
  await view.locator('article.ended', { hasText: '5 clients never released' }).waitFor();
}

/** What Poolguard has put into the environment of a terminal that is opened now. */
async function variablesOfNewTerminal(name: string): Promise<Readonly<Record<string, string>>> {
  const { page } = editor;
  const file = join(editor.folder, `${name}.txt`);
  const terminals = page.locator('.terminal-wrapper');
  const before = await terminals.count();
  await runCommand(page, 'Terminal: Create New Terminal');
  await expect.poll(() => terminals.count()).toBe(before + 1);
  // What is typed before the shell reads waits for it.
  await page
    .locator('.terminal-wrapper.active textarea')
    .pressSequentially(`env > ${name}.tmp; mv ${name}.tmp ${name}.txt\n`);
  await expect.poll(() => existsSync(file)).toBe(true);
  const lines = (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => /^(?:NODE_OPTIONS|POOLGUARD_SOCKET|POOLGUARD_TOKEN)=/u.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
