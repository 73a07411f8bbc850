import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { answerNotification, notified } from './support/notifications.ts';
import { asSuperuser } from './support/postgres.ts';
import {
  answerInput,
  chooseRow,
  quickRows,
  runCommand,
  titledInput,
} from './support/quick-pick.ts';
import { clickUntil, screenshot, showView } from './support/workbench.ts';

const password = 'plum-anchor-lantern-71';
const secrets = [password, 'compose-only-82', 'far-away-93'];
const { port } = new URL(postgresUrl());
let editor: Editor;

beforeAll(async () => {
  await asSuperuser(
    `CREATE ROLE librarian LOGIN PASSWORD '${password}'`,
    'CREATE DATABASE bookshop OWNER librarian',
    'CREATE DATABASE reports OWNER librarian',
  );
  editor = await startEditor(
    {
      '.env': `DB_PASSWORD=${password}\nDATABASE_URL=postgres://librarian:\${DB_PASSWORD}@127.0.0.1:${port}/bookshop\n`,
      '.env.production': 'DATABASE_URL=postgres://app:far-away-93@db.prod.example.com/bookshop\n',
      'docker-compose.yml':
        'services:\n  db:\n    image: postgres:18\n    environment: { POSTGRES_USER: app, POSTGRES_PASSWORD: compose-only-82, POSTGRES_DB: bookshop }\n    ports: ["5999:5432"]\n',
      'package.json': '{ "name": "bookshop", "dependencies": { "pg": "^8" } }',
    },
    { home: { '.pgpass': `127.0.0.1:${port}:reports:librarian:${password}\n` } },
  );
});

afterAll(() => editor.stop());

test('what files name is offered without passwords, and nothing is opened by itself', async () => {
  const { page } = editor;
  await showView(page, 'Pools');
  await page.getByText('None is opened automatically').waitFor();
  await runCommand(page, 'Poolguard: Connect to a database');
  await quickRows(page).filter({ hasText: 'Enter a connection string' }).waitFor();
  expect(
    (await quickRows(page).allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/gu, ' ').replace(' suggested', '').trim(),
    ),
  ).toEqual([
    `bookshoplibrarian@127.0.0.1:${port} .env · DATABASE_URL`,
    'bookshopapp@db.prod.example.com:5432 · TLS verified .env.production · DATABASE_URL',
    'bookshopapp@localhost:5999 docker-compose.yml · db',
    `reportslibrarian@127.0.0.1:${port} ~/.pgpass · line 1`,
    'Enter a connection string…',
  ]);
  expect(await sessionsOf('librarian')).toBe(0);
  await screenshot(page, 'connections.png');
});

test('a server beyond this machine and its networks is confirmed first', async () => {
  const { page } = editor;
  await runCommand(page, 'Poolguard: Connect to a database');
  await chooseRow(page, '.env.production');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog
    .getByText('A file of this workspace names the connection db.prod.example.com.')
    .waitFor();
  await dialog.locator('.monaco-button', { hasText: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await rows().count()).toBe(0);
});

test('a found one is named, opened, and shown as live', async () => {
  const { page } = editor;
  await openBooks();
  await (await showView(page, 'Pools')).locator('[data-kind=live]').waitFor();
  await rowSays(/^Books\s*live · librarian@127\.0\.0\.1:\d+ · no TLS/u);
});

test('testing tells version, time, TLS and pooler', async () => {
  const { page } = editor;
  await openBooks();
  await runCommand(page, 'Poolguard: Test a connection');
  await chooseRow(page, 'Books');
  await notified(page, /Books: PostgreSQL 18\.\d+.* ms for a round trip, no TLS, no pooler\./u);
});

test('editing shows the address without its password; another database is asked for it again and does not get the old one', async () => {
  const { page } = editor;
  await openBooks();
  const row = rows().first();
  await clickUntil(
    row.locator('.action-label[aria-label^="Edit a connection…"]'),
    titledInput(page, 'Edit Books (1/4)'),
    row,
  );
  await answerInput(page, 'Edit Books (1/4)', 'Monthly');
  await expect
    .poll(() => titledInput(page, '(2/4)').inputValue())
    .toBe(`postgres://librarian@127.0.0.1:${port}/bookshop`);
  await answerInput(page, '(2/4)', `postgres://librarian@127.0.0.1:${port}/reports`);
  await answerInput(page, '(3/4)');
  await page.getByText('is not sent there').waitFor();
  await answerInput(page, '(4/4)');
  await rowSays(/^Monthly\s*lost · /u);
  await answerNotification(page, /requires a password for .*, but none is set/u, 'Edit…');
  await answerInput(page, '(1/4)');
  await answerInput(page, '(2/4)');
  await answerInput(page, '(3/4)');
  await answerInput(page, '(4/4)', password);
  await rowSays(/^Monthly\s*live · /u);
});

test('forgetting closes it and leaves no row', async () => {
  const { page } = editor;
  await openBooks();
  await forgetAll();
  await page.getByText('None is opened automatically').waitFor();
  await expect.poll(() => sessionsOf('librarian')).toBe(0);
});

test('no password is in a page, a log, or what the editor wrote', async () => {
  const pages = await Promise.all(editor.page.frames().map((frame) => frame.content()));
  const written = await editor.writtenText();
  expect(
    secrets.filter((secret) => pages.join('\n').includes(secret) || written.includes(secret)),
  ).toEqual([]);
});

/** The connection that .env names, as if no test had been here before. */
async function openBooks(): Promise<void> {
  const { page } = editor;
  await showView(page, 'Pools');
  await forgetAll();
  await runCommand(page, 'Poolguard: Connect to a database');
  await chooseRow(page, '.env · DATABASE_URL');
  await answerInput(page, 'Name this connection', 'Books');
  await rowSays(/^Books\s*live · /u);
}

async function forgetAll(): Promise<void> {
  const { page } = editor;
  for (let left = await rows().count(); left > 0; left -= 1) {
    await runCommand(page, 'Poolguard: Forget a connection');
    await chooseRow(page, 'librarian@');
    await expect.poll(() => rows().count()).toBe(left - 1);
  }
}

function rows(): Locator {
  return editor.page.locator('.pane', { hasText: 'Connections' }).locator('.monaco-list-row');
}

async function rowSays(text: RegExp): Promise<void> {
  await expect.poll(() => rows().first().innerText()).toMatch(text);
}

async function sessionsOf(role: string): Promise<number> {
  const [row] = await asSuperuser(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = '${role}'`,
  );
  return (row as { count: number }).count;
}
