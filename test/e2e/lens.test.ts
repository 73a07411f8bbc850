import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { createRole, urlAs } from './support/postgres.ts';
import { answerInput, openFile, quickRows, runCommand, titledInput } from './support/quick-pick.ts';
import {
  chooseAction,
  clickUntil,
  openWith,
  screenshot,
  showConnected,
  showView,
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
  await createRole('lens', password);
  editor = await startEditor({
    'src/db.ts': database,
    'src/orders.ts':
      "import { pool } from './db.ts';\nexport const ordersOf = (customer: number) => pool.query('SELECT sum(n) FROM generate_series(1, $1::int) AS n', [customer]);\nexport const rename = (id: number) => pool.query('UPDATE orders SET name = $1', [id]);\n",
    'src/audit.ts':
      "import { Pool } from 'pg';\nexport const audit = new Pool({ max: 80 });\naudit.on('error', console.error);\n",
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  });
  await keepLastProbe(editor.page);
  await editor.page.reload();
});

afterAll(() => editor.stop());

test('before anything is connected the lenses say what the code says', async () => {
  const { page } = editor;
  await openFile(page, 'db.ts');
  await expect
    .poll(() => lenses(page))
    .toEqual([
      ['max 10 (pg default)', 'waits indefinitely: no connectionTimeoutMillis', 'Probe'],
      ['max 20', 'Probe'],
    ]);
});

test('options are written from the palette for the pool under the cursor, and undone', async () => {
  const { page } = editor;
  await openWith(page, 'db.ts', database);
  await page.locator('.view-line', { hasText: 'application_name' }).first().click();
  await runCommand(page, 'Poolguard: Write pool options');
  const options = quickRows(page);
  await options.filter({ hasText: 'waits indefinitely' }).waitFor();
  expect(await options.count()).toBe(3);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-title', { hasText: 'connectionTimeoutMillis' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: 'connectionTimeoutMillis: 5000' }).waitFor();
  await expect.poll(async () => (await lenses(page))[0]).toEqual(['max 10 (pg default)', 'Probe']);
  await page.locator('.view-line', { hasText: 'application_name' }).first().click();
  await page.keyboard.press('Control+z');
  await expect
    .poll(async () => (await lenses(page))[0])
    .toContain('waits indefinitely: no connectionTimeoutMillis');
});

test('once a database is connected they say what it allows beside what is declared', async () => {
  const { page } = editor;
  await connected();
  await openWith(page, 'db.ts', database);
  await expect
    .poll(async () => (await lenses(page))[1])
    .toContainEqual(expect.stringContaining('max of 3 pools: 110 > 97 allowed'));
});

test('the last probe of the database, which a reload keeps, stands beside them; one click writes what it recommends', async () => {
  const { page } = editor;
  await connected();
  await openWith(page, 'db.ts', database);
  await lensThat('Use max 12').waitFor();
  await expect
    .poll(() => lenses(page))
    .toEqual([
      [
        'max 10 (pg default)',
        'waits indefinitely: no connectionTimeoutMillis',
        'max of 3 pools: 110 > 97 allowed · probe 12 (8–14)',
        'Probe',
        'Use max 12',
      ],
      ['max 20', 'max of 3 pools: 110 > 97 allowed · probe 12 (8–14)', 'Probe', 'Use max 12'],
    ]);
  await page.mouse.move(900, 700);
  await screenshot(page, 'lens.png');
  await clickUntil(lensThat('Use max 12'), page.locator('.view-line', { hasText: 'max: 12,' }));
  await expect
    .poll(async () => (await lenses(page))[0])
    .toEqual([
      'max 12',
      'waits indefinitely: no connectionTimeoutMillis',
      'max of 3 pools: 112 > 97 allowed · probe 12 (8–14)',
      'Probe',
    ]);
});

test('the figures explain themselves', async () => {
  const { page } = editor;
  await connected();
  await openWith(page, 'db.ts', database);
  await clickUntil(
    lensThat('probe 12'),
    page.locator('.notification-list-item', {
      hasText: 'allows ordinary roles 97 connections, seen',
    }),
  );
});

test('a code action writes all that the last probe measured', async () => {
  const { page } = editor;
  await connected();
  await openWith(page, 'db.ts', database);
  await page.locator('.view-line', { hasText: 'max: 20' }).first().click();
  await chooseAction(page, 'Use the recommendation of the probe');
  await page.locator('.view-line', { hasText: 'connectionTimeoutMillis: 3000' }).waitFor();
});

test('a lens starts a probe of a query of the code: it asks for its value once, and a dialog shows the plan', async () => {
  const { page } = editor;
  const view = await connected();
  await openFile(page, 'orders.ts');
  const lens = page.locator('.codelens-decoration a', { hasText: 'Probe this query' });
  await lens.waitFor();
  expect(await lens.count()).toBe(1);
  await clickUntil(lens, titledInput(page, 'Probe pool size: value of $1'));
  await answerInput(page, 'Probe pool size: value of $1', '1..10');
  await question().getByText('SELECT sum(n)').waitFor();
  await screenshot(page, 'probe-plan.png');
  await question().getByRole('button', { name: 'Cancel' }).click();
  await view.locator('poolguard-button.start').waitFor();
  await clickUntil(lens, question().getByText('With $1 = 1..10.'));
  await page.keyboard.press('Escape');
  await question().waitFor({ state: 'detached' });
  await view.locator('poolguard-button.start').waitFor();
});

test('a lens over a pool probes it with the statement of the last probe; without a connection no figure is shown', async () => {
  const { page } = editor;
  const view = await connected();
  await openWith(page, 'db.ts', database);
  await clickUntil(lensThat(/^Probe$/u), question().getByText('SELECT sum(n)'));
  await question().getByRole('button', { name: 'Run the probe' }).click();
  await view.locator('poolguard-button.cancel').click();
  await view.getByText('The probe was cancelled').waitFor();
  await runCommand(page, 'Poolguard: Disconnect');
  await expect.poll(async () => (await lenses(page))[1]).toEqual(['max 20', 'Probe']);
});

/** What asks before a probe runs. */
function question(): Locator {
  return editor.page.locator('.monaco-dialog-box');
}

/** The view of the pool size, with the database connected. */
async function connected(): Promise<FrameLocator> {
  await showConnected(editor.page, urlAs('lens', password));
  return showView(editor.page, 'Pool size');
}

function lensThat(says: string | RegExp): Locator {
  return editor.page.locator('.codelens-decoration a', { hasText: says }).first();
}

/** Puts a probe where VS Code keeps the state of an extension, since a busy machine may refuse to recommend a number. */
async function keepLastProbe(page: Page): Promise<void> {
  const { hostname, port } = new URL(postgresUrl());
  const state = JSON.stringify({
    'poolguard.probeHistory': [
      {
        place: JSON.stringify([hostname, Number(port), 'lens', 'lens']),
        key: 'a hash',
        statement: 'select ?',
        max: 12,
        interval: [8, 14],
        connectionTimeoutMs: 3000,
        server: '18.4',
        at: Date.now() - 190_000,
      },
    ],
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
