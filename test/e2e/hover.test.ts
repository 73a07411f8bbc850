import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { openFile, runCommand } from './support/quick-pick.ts';
import { chooseAction, hoverUntil, openWith, screenshot } from './support/workbench.ts';

const orders = `import { Pool } from 'pg';

export const pool = new Pool({ max: 10, connectionTimeoutMillis: 2_000 });
pool.on('error', (error) => console.error('idle client', error));

export async function placeOrder(customer: number, items: readonly string[]) {
  const client = await pool.connect();
  try {
    await client.query('INSERT INTO orders (customer) VALUES ($1)', [customer]);
    for (const item of items) {
      await client.query('INSERT INTO items (name) VALUES ($1)', [item]);
    }
  } finally {
    client.release();
  }
}

export async function cancelOrder(id: number) {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT paid FROM orders WHERE id = $1', [id]);
  await client.query('DELETE FROM orders WHERE id = $1', [id]);
  client.release();
  return rows[0].paid;
}
`;

const payments = `import { pool } from './orders';

export async function pay(id: number) {
  const client = await pool.connect();
  await client.query('UPDATE orders SET paid = true WHERE id = $1', [id]);
  await client.query('INSERT INTO payments (id) VALUES ($1)', [id]);
  client.release();
}
`;

let editor: Editor;

beforeAll(async () => {
  const files = {
    'src/orders.ts': orders,
    'src/payments.ts': payments,
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  };
  editor = await startEditor(files, { settings: { 'poolguard.lint.heldSpans': true } });
});

afterAll(() => editor.stop());

test('hints and a bar show where clients are held', async () => {
  const { page } = editor;
  await openFile(page, 'orders.ts');
  await page.locator('.squiggly-error').first().waitFor();
  await page.locator('.view-line', { hasText: 'held to line 14 · 2 statements' }).waitFor();
  await page.locator('.view-line', { hasText: 'held since line 7' }).waitFor();
  await page.locator('.view-line', { hasText: 'leaks at line 20 · 2 statements' }).waitFor();
  await expect.poll(() => bars(page)).toBe(8 + 4);
});

test('a hover on a client tells what becomes of the client', async () => {
  const { page } = editor;
  await openFile(page, 'orders.ts');
  const client = page
    .locator('.view-line', { hasText: 'leaks at line 20' })
    .locator('span', { hasText: /^client$/ })
    .last();
  const hover = page.locator('.monaco-hover:visible', { hasText: 'held from line 19 to line 22' });
  await hoverUntil(page, client, hover);
  expect(await hover.innerText()).toContain(
    'Each leak takes one of 10 clients permanently; when none is left, callers time out after 2000 ms',
  );
  await screenshot(page, 'held-span.png');
  await page.mouse.move(1390, 890);
  await page.keyboard.press('Escape');
});

test('a quick fix is chosen by keyboard', async () => {
  const { page } = editor;
  await openPayments(page);
  await quickFix(page, 'const client = await pool', 'Release the client in a `finally`');
  await leaksAre(page, 0);
  await textContains(page, '} finally {');
});

test('one line can be left out', async () => {
  const { page } = editor;
  await openPayments(page);
  await quickFix(
    page,
    'const client = await pool',
    'Disable poolguard/no-unreleased-client for this line',
  );
  await leaksAre(page, 0);
  // What the action wrote for the user.
  await textContains(page, '// eslint-disable-next-line poolguard/no-unreleased-client');
});

test('a command fixes the whole file', async () => {
  const { page } = editor;
  await openPayments(page);
  await runCommand(page, 'Poolguard: Fix all in this file');
  await leaksAre(page, 0);
  await textContains(page, '} finally {');
});

/** Lines of the active editor with a border at their left. */
function bars(page: Page): Promise<number> {
  return page.evaluate<number>(
    "[...document.querySelectorAll('.editor-instance .view-overlays .cdr')].filter((element) => getComputedStyle(element).borderLeftWidth === '2px').length",
  );
}

/** Squiggles of the active editor; the acquire is the only one underlined in red in these files. */
async function leaksAre(page: Page, amount: number): Promise<void> {
  await expect.poll(() => page.locator('.editor-instance .squiggly-error').count()).toBe(amount);
}

async function quickFix(page: Page, line: string, title: string): Promise<void> {
  await page
    .locator('.view-line', { hasText: line })
    .locator('span', { hasText: /^connect$/ })
    .last()
    .click();
  await chooseAction(page, title);
}

/** Whatever was done to it before, with its leak. */
async function openPayments(page: Page): Promise<void> {
  await openWith(page, 'payments.ts', payments);
  await page.locator('.view-line', { hasText: 'leaks at line 5' }).waitFor();
  await leaksAre(page, 1);
}

/** The editor draws an edit in a frame of its own, which may come after the squiggle has gone. */
async function textContains(page: Page, text: string): Promise<void> {
  const lines = page.locator('.editor-instance .view-lines');
  await expect
    .poll(async () => (await lines.innerText()).replaceAll('\u00A0', ' '))
    .toContain(text);
}
