import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { asSuperuser } from './support/superuser.ts';
import {
  answerInput,
  chooseAction,
  connectByTyping,
  findWebview,
  openFile,
  runCommand,
  screenshot,
} from './support/workbench.ts';

const database = `import { Pool } from 'pg';

/** Orders and customers. */
export const pool = new Pool({
  application_name: 'shop-api',
});
pool.on('error', (error) => console.error('idle client', error));

/** The nightly report, on a replica. */
export const reports = new Pool({
  max: 20,
  connectionTimeoutMillis: 5_000,
});
reports.on('error', (error) => console.error('idle client', error));
`;

let editor: Editor;
const password = 'correct-horse-battery-staple';

beforeAll(async () => {
  await asSuperuser(
    `CREATE ROLE lens LOGIN PASSWORD '${password}'`,
    'GRANT pg_monitor TO lens',
    'CREATE DATABASE lens OWNER lens',
  );
  editor = await startEditor({
    'src/db.ts': database,
    'src/orders.ts':
      "import { pool } from './db.ts';\nexport const ordersOf = (customer: number) => pool.query('SELECT sum(n) FROM generate_series(1, $1::int) AS n', [customer]);\nexport const rename = (id: number) => pool.query('UPDATE orders SET name = $1', [id]);\n",
    'src/audit.ts':
      "import { Pool } from 'pg';\nexport const audit = new Pool({ max: 80 });\naudit.on('error', console.error);\n",
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  });
});

afterAll(() => editor.stop());

test('before anything is connected the lenses say what the code says', async () => {
  const { page } = editor;
  await openFile(page, 'db.ts');
  await expect
    .poll(() => lenses(page), { timeout: 90_000 })
    .toEqual([
      [
        'max 10 (pg’s default, not written here)',
        'waits for ever: no connectionTimeoutMillis',
        'Probe',
      ],
      ['max 20', 'Probe'],
    ]);
});

test('options are written from the palette for the pool under the cursor, and undone', async () => {
  const { page } = editor;
  await page.locator('.view-line', { hasText: 'application_name' }).first().click();
  await runCommand(page, 'Poolguard: Write pool options');
  const options = page.locator('.quick-input-list .monaco-list-row');
  await options.filter({ hasText: 'waits for ever' }).waitFor();
  expect(await options.count()).toBe(3);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-title', { hasText: 'connectionTimeoutMillis' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: 'connectionTimeoutMillis: 5000' }).waitFor();
  await expect
    .poll(async () => (await lenses(page))[0], { timeout: 60_000 })
    .toEqual(['max 10 (pg’s default, not written here)', 'Probe']);
  await page.locator('.view-line', { hasText: 'application_name' }).first().click();
  await page.keyboard.press('Control+z');
  await expect
    .poll(async () => (await lenses(page))[0], { timeout: 60_000 })
    .toContain('waits for ever: no connectionTimeoutMillis');
  await page.keyboard.press('Control+s');
  await page.locator('.tab.active:not(.dirty)').waitFor();
});

test('once a database is connected they say what it allows beside what is declared', async () => {
  const { page } = editor;
  await keepLastProbe(page);
  await page.reload();
  await page.locator('.codelens-decoration').first().waitFor({ timeout: 60_000 });
  await connectByTyping(page, url());
  const view = await findWebview(page, 'poolguard-pool-view');
  await view.locator('[data-kind=live]').waitFor();
  await expect
    .poll(async () => (await lenses(page))[1], { timeout: 60_000 })
    .toContainEqual(expect.stringContaining('110 declared > 97 allowed'));
});

test('the last probe of the database, which a reload keeps, stands beside them; one click writes what it recommends', async () => {
  const { page } = editor;
  await page
    .locator('.codelens-decoration a', { hasText: 'Use max 12' })
    .first()
    .waitFor({ timeout: 60_000 });
  expect(await lenses(page)).toEqual([
    [
      'max 10 (pg’s default, not written here)',
      'waits for ever: no connectionTimeoutMillis',
      '110 declared > 97 allowed · last probe 12 (8–14)',
      'Probe',
      'Use max 12',
    ],
    ['max 20', '110 declared > 97 allowed · last probe 12 (8–14)', 'Probe', 'Use max 12'],
  ]);
  await page.mouse.move(900, 700);
  await screenshot(page, 'lens.png');
  await page.locator('.codelens-decoration a', { hasText: 'Use max 12' }).first().click();
  await page.locator('.view-line', { hasText: 'max: 12,' }).waitFor();
  await expect
    .poll(async () => (await lenses(page))[0], { timeout: 60_000 })
    .toEqual([
      'max 12',
      'waits for ever: no connectionTimeoutMillis',
      '112 declared > 97 allowed · last probe 12 (8–14)',
      'Probe',
    ]);
});

test('the figures explain themselves', async () => {
  const { page } = editor;
  await page.locator('.codelens-decoration a', { hasText: 'last probe' }).first().click();
  await page
    .locator('.notification-list-item', {
      hasText: 'lets ordinary roles open 97 connections, seen',
    })
    .waitFor();
});

test('a code action writes all that the last probe measured', async () => {
  const { page } = editor;
  await page.locator('.view-line', { hasText: 'max: 20' }).first().click();
  await chooseAction(page, 'Use what the probe measured');
  await page.locator('.view-line', { hasText: 'connectionTimeoutMillis: 3000' }).waitFor();
  await page.keyboard.press('Control+s');
});

test('a lens starts a probe of a query of the code: it asks for its value and shows the plan', async () => {
  const { page } = editor;
  await openFile(page, 'orders.ts');
  const lens = page.locator('.codelens-decoration a', { hasText: 'Probe this query' });
  await lens.waitFor({ timeout: 60_000 });
  expect(await lens.count()).toBe(1);
  await lens.click();
  await answerInput(page, 'Probe pool size: value of $1', '1..10');
  const view = await findWebview(page, 'poolguard-pool-view');
  await view.locator('poolguard-plan', { hasText: 'SELECT sum(n)' }).waitFor();
  await screenshot(page, 'probe-plan.png');
  await view.locator('poolguard-plan .decline').click();
  await expect.poll(() => view.locator('poolguard-plan').count()).toBe(0);
});

test('a lens starts a probe; without a connection no figure is shown', async () => {
  const { page } = editor;
  await openFile(page, 'db.ts');
  const view = await findWebview(page, 'poolguard-pool-view');
  await page
    .locator('.codelens-decoration a', { hasText: /^Probe$/u })
    .first()
    .click();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'A stand-in' }).click();
  await view.locator('poolguard-plan .agree').click();
  await view.locator('poolguard-button.cancel').click();
  await view.getByText('The probe was cancelled').waitFor();
  await runCommand(page, 'Poolguard: Disconnect');
  await expect
    .poll(async () => (await lenses(page))[1], { timeout: 60_000 })
    .toEqual(['max 12', 'Probe']);
});

/** Puts a probe where VS Code keeps the state of an extension, since a busy machine may refuse to recommend a number. */
async function keepLastProbe(page: Page): Promise<void> {
  const { hostname, port } = new URL(inject('postgresUrl'));
  const place = JSON.stringify([hostname, Number(port), 'lens', 'lens']);
  const state = JSON.stringify({
    'poolguard.lastProbes': {
      [place]: { max: 12, interval: [8, 14], connectionTimeoutMs: 3000, at: Date.now() - 190_000 },
    },
  });
  await page.evaluate(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const { name } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db-')) continue;
      const database = await done(indexedDB.open(name));
      await done(database.transaction('ItemTable', 'readwrite').objectStore('ItemTable').put(${JSON.stringify(state)}, 'poolguard.poolguard'));
      database.close();
    }
  })()`);
}

/** The texts of the lenses, a list for each line that has some. */
async function lenses(page: Page): Promise<string[][]> {
  const lines = await page.locator('.codelens-decoration').all();
  const placed = await Promise.all(
    lines.map(async (line) => ({
      top: (await line.boundingBox())?.y ?? 0,
      texts: await line.locator(':scope > a, :scope > span').allInnerTexts(),
    })),
  );
  const isText = (text: string) => text !== '' && text !== '|';
  return placed
    .sort((a, b) => a.top - b.top)
    .map(({ texts }) => texts.map((text) => text.replaceAll('\u00A0', ' ').trim()).filter(isText));
}

function url(): string {
  const { hostname, port } = new URL(inject('postgresUrl'));
  return `postgres://lens:${password}@${hostname}:${port}/lens`;
}
