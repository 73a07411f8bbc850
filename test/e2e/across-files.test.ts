import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { notified } from './support/notifications.ts';
import { openFile, runCommand } from './support/quick-pick.ts';
import { problemsOf, showProblems } from './support/workbench.ts';

const database = `import { Pool } from 'pg';
import type { PoolClient } from 'pg';

const pool = new Pool({ max: 5, connectionTimeoutMillis: 2_000 });
pool.on('error', () => undefined);

export async function checkOut() {
  return pool.connect();
}

export function giveBack(client: PoolClient) {
  client.release();
}
`;
const jobs = `import { checkOut, giveBack } from './database.js';

export async function count() {
  const client = await checkOut();
  try {
    const { rows } = await client.query('SELECT count(*) FROM jobs');
    return rows[0];
  } finally {
    giveBack(client);
  }
}
`;

/** Never opened. */
const reports = `import { checkOut } from './database.js';

export async function report() {
  const client = await checkOut();
  return client.query('SELECT 1');
}
`;

const mail = `import { Pool } from 'pg';
export const pool = new Pool({ max: 5, connectionTimeoutMillis: 2_000 });
`;

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor({
    'src/database.ts': database,
    'src/jobs.ts': jobs,
    'src/reports.ts': reports,
    'src/mail.ts': mail,
    'package.json': '{ "dependencies": { "pg": "^8" } }',
  });
});

afterAll(() => editor.stop());

test('what is typed in one file, saved or not, changes the findings of another', async () => {
  const { page } = editor;
  await showProblems(page);
  await openFile(page, 'jobs.ts');
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+\\');
  await openFile(page, 'database.ts');
  const leaks = problemsOf(page, 'no-unreleased-client');
  const database = page
    .locator('.editor-instance', { hasText: 'giveBack(client: PoolClient)' })
    .last();
  await database.locator('.view-line', { hasText: 'client.release();' }).click();
  await page.keyboard.press('Control+/');
  await expect.poll(() => leaks.count()).toBe(1);
  await page.keyboard.press('Control+/');
  await expect.poll(() => leaks.count()).toBe(0);
  await page.keyboard.press('Control+/');
  await page.keyboard.press('Control+s');
  await expect.poll(() => leaks.count()).toBe(1);
});

test('the whole workspace is checked on demand, files included that nobody has opened, until that is cleared', async () => {
  const { page } = editor;
  await showProblems(page);
  await openFile(page, 'mail.ts');
  const unopened = page.locator('.markers-panel .monaco-list-row', { hasText: 'reports.ts' });
  expect(await unopened.count()).toBe(0);
  await runCommand(page, 'Poolguard: Check the whole workspace');
  await unopened.first().waitFor();
  await notified(page, /in \d files/u);
  await runCommand(page, 'Poolguard: Clear the findings of the workspace check');
  await expect.poll(() => unopened.count()).toBe(0);
  await problemsOf(page, 'require-pool-error-handler').waitFor();
});
