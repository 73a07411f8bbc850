import pg from 'pg';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { startEditor, type Editor } from './support/editor.ts';
import { createRole, urlAs } from './support/postgres.ts';
import { answerInput, openFile } from './support/quick-pick.ts';
import { findWebview, screenshot, showConnected } from './support/workbench.ts';

let editor: Editor;
let pooler: PgBouncer;
const clients: pg.Client[] = [];
const password = 'to-sleep-perchance-to-dream';
const watchword = 'a-midsummer-nights-dream';

beforeAll(async () => {
  await createRole('bakery', password);
  pooler = await startPgBouncer(urlAs('bakery', password), 2, {
    settings: { stats_users: 'watcher' },
    users: { bakery: password, watcher: watchword },
  });
  editor = await startEditor({
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  });
});

afterAll(async () => {
  for (const client of clients) client.connection.stream.destroy();
  await editor.stop();
  await pooler[Symbol.asyncDispose]();
});

test('a pooler in front is found, its console opened as a role that may look, and a saturated pool is seen', async () => {
  const { page } = editor;
  await openFile(page, 'package.json');
  const view = await showConnected(page, pooler.url);
  await view.getByText('its console is closed to this role').waitFor();
  await view.getByText('backends that the pooler shares among its clients').waitFor();
  const panel = await showConsole();
  await panel.getByRole('heading', { name: /^PgBouncer 1\.\d+/ }).waitFor();

  await saturate();
  await panel.locator('[data-figure=waiting] dd', { hasText: /^[89]/ }).waitFor();
  await panel
    .locator('.concerns', {
      hasText:
        /clients wait for a server connection, the longest for .*: all 2 of the pool are in use\./,
    })
    .waitFor();
  await panel.locator('.pools td[data-column=lent].notable', { hasText: '2 of 2' }).waitFor();
  await panel.getByRole('img', { name: /^Waiting clients over the last/ }).waitFor();
  const header = panel.locator('.clients th[data-column=wait] button');
  await header.focus();
  await page.keyboard.press('Enter');
  await panel.locator('.clients th[data-column=wait][aria-sort=descending]').waitFor();
  await view.getByText(/PgBouncer [\d.]+ in front: \d+ clients wait, the longest for/).waitFor();
  await expect
    .poll(async () =>
      Number(
        (await panel.locator('[data-figure=longest-wait] dd').innerText()).replace(/ s.*/, ''),
      ),
    )
    .toBeGreaterThan(5);
  await page.mouse.move(900, 60);
  await screenshot(page, 'pooler.png');
});

test('markup in the name of an application is text', async () => {
  const panel = await showConsole();
  await connectAs('<b>bold</b>');
  await panel.locator('.clients td', { hasText: '<b>bold</b>' }).first().waitFor();
});

test('no password is in a page, a setting or a log; no page breaks its content security policy', async () => {
  await showConsole();
  const pages = await Promise.all(editor.page.frames().map((frame) => frame.content()));
  const written = `${pages.join('\n')}${await editor.writtenText()}`;
  expect([watchword, password].filter((secret) => written.includes(secret))).toEqual([]);
  expect(
    editor.complaints.filter(
      (line) => line.includes('Content Security Policy') && line.includes('poolguard'),
    ),
  ).toEqual([]);
});

/** The panel of the pooler, which looks as a role that may. */
async function showConsole(): Promise<FrameLocator> {
  const { page } = editor;
  const view = await showConnected(page, pooler.url);
  await view.getByRole('button', { name: 'Open pooler' }).click();
  const panel = await findWebview(page, 'poolguard-pooler-panel');
  const live = panel.locator('[data-kind=live]');
  await live.or(panel.getByText('Add the role to stats_users in pgbouncer.ini')).first().waitFor();
  if ((await live.count()) === 0) {
    await panel.locator('poolguard-button.role').click();
    await answerInput(page, 'A role in stats_users or', 'watcher');
    const secret = page.locator('.quick-input-widget:visible input[type=password]');
    await secret.fill(watchword);
    await secret.press('Enter');
  }
  await live.waitFor();
  return panel;
}

/** Two transactions keep both backends, and the rest of an API waits. */
async function saturate(): Promise<void> {
  for (const application of [
    'checkout-api',
    'checkout-api',
    ...Array.from({ length: 8 }, () => 'orders-api'),
  ])
    await connectAs(application);
  const begun = clients.map((client) => client.query('BEGIN').catch(() => undefined));
  await Promise.race(begun);
}

async function connectAs(application: string): Promise<void> {
  const client = new pg.Client({ connectionString: pooler.url, application_name: application });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
}
