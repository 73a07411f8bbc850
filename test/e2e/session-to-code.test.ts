import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type pg from 'pg';
import { startEditor, type Editor } from './support/editor.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { openFile, runCommand } from './support/quick-pick.ts';
import { hoverUntil, screenshot, showConnected, showSessions } from './support/workbench.ts';

const root = join(import.meta.dirname, '../..');

const users = `import { pool } from './db.js';

/** Gives a user a new name. */
export async function renameUser(id, name) {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query(
    \`UPDATE pg_temp.users
        SET name = $1
      WHERE id = $2\`,
    [name, id],
  );
  const { rows } = await client.query('SELECT id, name FROM pg_temp.users WHERE id = $1', [id]);
  if (rows.length === 0) return undefined;
  await client.query('COMMIT');
  client.release();
  return rows[0];
}
`;

const db = `import pg from 'pg';

export const pool = new pg.Pool({ connectionString: process.env.SHOP_DATABASE_URL, application_name: 'shop-api', max: 4 });
pool.on('error', (error) => console.error('idle client', error));
pool.on('connect', (client) => client.query('CREATE TEMP TABLE users (id integer, name text)'));
`;

const files = {
  'src/users.js': users,
  'src/db.js': db,
  'package.json': '{ "name": "shop-api", "type": "module", "dependencies": { "pg": "^8" } }',
  '.gitignore': 'node_modules',
};

let editor: Editor;
let pool: pg.Pool;

beforeAll(async () => {
  editor = await startEditor(files, { settings: { 'poolguard.activity.intervalSeconds': 1 } });
  process.env['SHOP_DATABASE_URL'] = postgresUrl();
  await symlink(join(root, 'node_modules'), join(editor.folder, 'node_modules'));
  ({ pool } = (await import(pathToFileURL(join(editor.folder, 'src/db.js')).href)) as {
    pool: pg.Pool;
  });
  const shop = (await import(pathToFileURL(join(editor.folder, 'src/users.js')).href)) as {
    renameUser(id: number, name: string): Promise<unknown>;
  };
  await shop.renameUser(4, 'Ada');
  await shop.renameUser(5, 'Grace');
});

afterAll(async () => {
  // A client that was never released would be waited for without end.
  void pool.end();
  await editor.stop();
});

test('a client that the workspace has lost is shown with the line that used it last', async () => {
  const panel = await showSessionsOfShop();
  await panel.locator('button.place', { hasText: 'src/users.js:13' }).first().waitFor();
});

test('one click opens the line', async () => {
  const { page } = editor;
  const panel = await showSessionsOfShop();
  await runCommand(page, 'View: Close Other Editors in Group');
  await panel.locator('button.place', { hasText: 'src/users.js:13' }).first().click();
  await page.locator('.statusbar-item', { hasText: 'Ln 13, Col 33' }).waitFor();
  await page.locator('.tab.active', { hasText: 'users.js' }).waitFor();
});

test('the hover of the finding tells which sessions are there now', async () => {
  const { page } = editor;
  await showConnected(page, postgresUrl());
  await openFile(page, 'users.js');
  await page.locator('.squiggly-error').first().waitFor();
  const live = page.locator('.monaco-hover:visible', {
    hasText:
      /(?:Live now|As of .+ ago): 2 sessions idle in transaction here, longest .+ \(pid \d+, \d+\)\./,
  });
  await hoverUntil(page, connectOf(page), live);
  await screenshot(page, 'session-to-code.png');
  await live.getByText('Show sessions').click();
  await page.locator('.tab.active', { hasText: 'Sessions' }).waitFor();
});

test('without a connection nothing is told', async () => {
  const { page } = editor;
  const view = await showConnected(page, postgresUrl());
  await runCommand(page, 'Poolguard: Disconnect');
  await view.locator('poolguard-button.connect').waitFor();
  await openFile(page, 'users.js');
  await page.locator('.squiggly-error').first().waitFor();
  const hover = page.locator('.monaco-hover:visible', { hasText: 'no-unreleased-client' });
  await hoverUntil(page, connectOf(page), hover);
  expect(await hover.innerText()).not.toContain('idle in transaction');
});

/** The word in `pool.connect()`. */
function connectOf(page: Page): Locator {
  return page
    .locator('.view-line', { hasText: 'pool.connect()' })
    .locator('span', { hasText: /^connect$/ })
    .last();
}

/** The list of sessions, with the file that used them open beside it. */
async function showSessionsOfShop(): Promise<FrameLocator> {
  const { page } = editor;
  await openFile(page, 'users.js');
  await page.locator('.squiggly-error').first().waitFor();
  await showConnected(page, postgresUrl());
  return showSessions(page);
}
