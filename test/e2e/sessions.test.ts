import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { createRole, ownSessions, urlAs } from './support/postgres.ts';
import { chooseRow, runCommand } from './support/quick-pick.ts';
import { screenshot, showConnected, showSessions } from './support/workbench.ts';

const database = `
import { Pool } from 'pg';

export const pool = new Pool({ application_name: 'orders-api', max: 5 });
pool.on('error', (error) => console.error('idle client', error));
`;

const password = 'panel-of-a-test';
const secret = 'ada@example.org';
const leak = `UPDATE users SET seen = now() WHERE email = '${secret}'`;
const clients: pg.Client[] = [];
let editor: Editor;

beforeAll(async () => {
  await createRole('panel', password);
  editor = await startEditor(
    {
      'src/db.ts': database,
      '.vscode/settings.json': settingsFor('Dark Modern'),
      'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
    },
    { settings: { 'poolguard.activity.intervalSeconds': 1 } },
  );
  await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeSessions();
});

afterAll(async () => {
  await editor.stop();
  await Promise.all(clients.map((client) => client.end()));
});

test('the sidebar tells in one look who blocks whom, and since when', async () => {
  const view = await connected();
  await view.locator('[data-pool=orders-api]').waitFor();
  await view.locator('[role=treeitem]', { hasText: 'blocks 2' }).first().waitFor();
  await view.locator('[data-concern=blocked]').waitFor();
  await view.locator('[role=treeitem]').first().filter({ hasText: 'orders-api' }).waitFor();
  await view.locator('[data-pool=checkout-worker] .head[aria-expanded=false]').waitFor();
});

test.each([
  ['light', 'Light Modern', 'vs'],
  ['high-contrast', 'Default High Contrast', 'hc-black'],
  ['high-contrast-light', 'Default High Contrast Light', 'hc-light'],
  ['dark', 'Dark Modern', 'vs-dark'],
])('the sidebar in the theme %s', async (name, theme, kind) => {
  const { page } = editor;
  await writeFile(join(editor.folder, '.vscode/settings.json'), settingsFor(theme));
  await page.locator(`.monaco-workbench.${kind}`).waitFor();
  const view = await connected();
  await expect.poll(() => view.locator('poolguard-headroom .sparkline').count()).toBe(1);
  await page.mouse.move(900, 500);
  await screenshot(page, `sidebar-${name}.png`);
});

test('a fold outlives the page', async () => {
  const { page } = editor;
  const view = await connected();
  const head = view.locator('[data-pool=checkout-worker] .head');
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
  await view.locator('[data-pool=checkout-worker] .head[aria-expanded=true]').waitFor();
  await runCommand(page, 'View: Show Explorer');
  await page.locator('.explorer-folders-view').waitFor();
  await (
    await connected()
  )
    .locator('[data-pool=checkout-worker] .head[aria-expanded=true]')
    .waitFor();
});

test('the table filters, hides the idle, sorts and unfolds', async () => {
  const { page } = editor;
  const panel = await connectedSessions();
  await panel.locator('[role=row][data-pid]').first().waitFor();
  await panel.locator('.hide-idle').check();
  await expect
    .poll(() => panel.locator('poolguard-grid').getByText('checkout-worker').count())
    .toBe(0);
  await panel.locator('input[type=search]').fill('UPDATE USERS');
  await expect.poll(() => panel.locator('[role=row][data-pid]').count()).toBe(3);
  await panel.locator('[role=columnheader][data-column=transaction-age]').click();
  await panel.locator('[role=columnheader][data-column=transaction-age]').click();
  await panel.locator('[role=row][data-pid]').first().click();
  await expect.poll(() => panel.locator('poolguard-grid pre').innerText()).toBe(leak);
  await expect.poll(() => panel.locator('poolguard-headroom .sparkline').count()).toBe(1);
  await screenshot(page, 'sessions-panel.png');
});

test('the list goes to the clipboard without its literals, and to a file as it is', async () => {
  const { page } = editor;
  const panel = await connectedSessions();
  await panel.locator('input[type=search]').fill('UPDATE USERS');
  await expect.poll(() => panel.locator('[role=row][data-pid]').count()).toBe(3);
  await panel.locator('[data-export=clipboard]').click();
  await chooseRow(page, 'Markdown');
  await chooseRow(page, 'Without literals');
  await expect
    .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
    .toContain('`update users set seen = now () where email = ?`');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).not.toContain(secret);
  await panel.locator('[data-export=file]').click();
  await chooseRow(page, 'CSV');
  await chooseRow(page, 'With literals');
  const path = page.locator('.quick-input-widget:visible input[type=text]');
  await expect.poll(() => path.inputValue()).toMatch(/\.csv$/);
  await path.press('Enter');
  await page.locator('.notification-toast', { hasText: 'The sessions are in' }).waitFor();
  const [file = '', ...others] = (await readdir(editor.folder)).filter((name) =>
    name.startsWith('sessions-'),
  );
  expect(others).toEqual([]);
  const lines = (await readFile(join(editor.folder, file), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines.filter((line) => line.endsWith(leak))).toHaveLength(1);
});

test('paused, nothing of ours is left on the server', async () => {
  const panel = await connectedSessions();
  await panel.locator('poolguard-button.pause').click();
  await panel.locator('[data-kind=paused]').waitFor();
  await expect.poll(ownSessions).toBe(0);
  await panel.locator('poolguard-button.pause').click();
  await panel.locator('[data-kind=live]').waitFor();
  expect(
    editor.complaints.filter(
      (line) => line.includes('Content Security Policy') && line.includes('poolguard'),
    ),
  ).toEqual([]);
});

function connected(): Promise<FrameLocator> {
  return showConnected(editor.page, urlAs('panel', password));
}

async function connectedSessions(): Promise<FrameLocator> {
  await connected();
  return showSessions(editor.page);
}

/** An API that forgot a transaction, two that wait behind it, and a worker that idles. */
async function makeSessions(): Promise<void> {
  const owner = await connectAs('orders-api');
  await owner.query(
    "CREATE TABLE users (email text, seen timestamptz); INSERT INTO users VALUES ('ada@example.org', now())",
  );
  await owner.query('BEGIN');
  await owner.query(leak);
  const second = await connectAs('orders-api');
  second.query("UPDATE users SET seen = NULL WHERE email LIKE 'a%'").catch(() => undefined);
  const billing = await connectAs('billing');
  billing.query('UPDATE users SET email = lower(email)').catch(() => undefined);
  await Promise.all([
    connectAs('orders-api'),
    ...[1, 2, 3, 4, 5, 6].map(() => connectAs('checkout-worker')),
  ]);
  await Promise.all(
    clients.slice(-7).map((client) => client.query('SELECT count(*) FROM pg_class')),
  );
}

async function connectAs(application: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlAs('panel', password),
    application_name: application,
  });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

function settingsFor(theme: string): string {
  return JSON.stringify({ 'workbench.colorTheme': theme });
}
