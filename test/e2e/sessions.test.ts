import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { createRole, ownSessions, urlAs } from './support/postgres.ts';
import { chooseRow, runCommand } from './support/quick-pick.ts';
import { screenshot, showConnected, showSessions, showView } from './support/workbench.ts';

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
  await view.locator('[data-concern=blocked]').waitFor();
  await view.locator('[data-pool=checkout-worker] .head[aria-expanded=false]').waitFor();
  const blocking = await showView(editor.page, 'Blocking');
  await blocking.locator('[role=treeitem]', { hasText: 'blocks 2' }).first().waitFor();
  await blocking.locator('[role=treeitem]').first().filter({ hasText: 'orders-api' }).waitFor();
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
    .toContain('`update users set seen = now() where email = ?`');
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

test('a cell is copied as it is, a row without literals unless they are wanted', async () => {
  const { page } = editor;
  const panel = await connectedSessions();
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await panel.locator('input[type=search]').fill('UPDATE USERS SET SEEN = NOW');
  await expect.poll(() => panel.locator('[role=row][data-pid]').count()).toBe(1);
  await expect
    .poll(() => panel.locator('poolguard-list-bar .count').innerText())
    .toMatch(/^1 of \d+ sessions$/u);
  await panel.locator('[data-pid] [data-index="10"]').focus();
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toBe(leak);
  await page.keyboard.press('Shift+Space');
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toMatch(/^pid\tstate\t.*\tquery\n\d+\tidle in transaction\t/u);
  expect(await copied()).toMatch(/update users set seen = now\(\) where email = \?$/u);
  await page.keyboard.press('Control+Shift+c');
  await expect.poll(copied).toContain(secret);
  await page.keyboard.press('Escape');
  await panel.locator('input[type=search]').fill('');
});

test('widths and hidden columns outlive the panel and the window', async () => {
  const { page } = editor;
  const header = (panel: FrameLocator, column: string) =>
    panel.locator(`[role=columnheader][data-column=${column}]`);
  const widthOf = (panel: FrameLocator) =>
    header(panel, 'state').evaluate((each: { offsetWidth: number }) => each.offsetWidth);
  const before = await connectedSessions();
  await before.getByRole('button', { name: 'Columns' }).click();
  await before.getByRole('checkbox', { name: 'user' }).uncheck();
  await page.keyboard.press('Escape');
  await header(before, 'state').focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(() => widthOf(before)).toBe(182);
  await runCommand(page, 'View: Close Editor');
  const reopened = await connectedSessions();
  await expect.poll(() => widthOf(reopened)).toBe(182);
  expect(await header(reopened, 'user').count()).toBe(0);
  await page.reload();
  await runCommand(page, 'Poolguard: Connect to a database');
  await chooseRow(page, 'panel@');
  await (await showView(page, 'Pools')).locator('[data-kind=live]').first().waitFor();
  const after = await showSessions(page);
  await expect.poll(() => widthOf(after)).toBe(182);
  expect(await header(after, 'user').count()).toBe(0);
  await after.getByRole('button', { name: 'Columns' }).click();
  await after.getByRole('button', { name: 'Reset columns' }).click();
  await expect.poll(() => header(after, 'user').count()).toBe(1);
  await expect.poll(() => widthOf(after)).toBe(150);
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
