import { afterAll, beforeAll, expect, test } from 'vitest';
import { askPalette, quickRows, runCommand } from './support/quick-pick.ts';
import { chooseAction } from './support/workbench.ts';
import { startWebEditor, type WebEditor } from './support/web-editor.ts';

const database = `import { Pool } from 'pg';

export const pool = new Pool();
pool.on('error', console.error);
`;

const orders = `import { pool } from './db';

export async function countOrders() {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT count(*) FROM orders');
  client.release();
  return rows[0].count;
}
`;

let editor: WebEditor;

beforeAll(async () => {
  editor = await startWebEditor({
    'db.ts': database,
    'orders.ts': orders,
    'package.json': '{ "dependencies": { "pg": "^8" } }',
  });
});

afterAll(() => editor?.stop());

test('a leak in a virtual folder is underlined by a server in a web worker, and a quick fix mends it', async () => {
  const { page } = editor;
  await open('orders.ts');
  await page.locator('.squiggly-error').first().waitFor();
  await page.locator('.monaco-editor .view-line', { hasText: 'connect' }).click();
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await chooseAction(page, 'finally');
  await page.locator('.monaco-editor .view-line', { hasText: 'finally' }).waitFor();
  await expect.poll(() => page.locator('.squiggly-error').count()).toBe(0);
});

test('what needs a database is not offered, and a sentence says where it is', async () => {
  const { page } = editor;
  await runCommand(page, 'View: Show Poolguard');
  await page.getByText('Databases cannot be reached from a browser').waitFor();
  await askPalette(page, 'Poolguard', 'Show Poolguard');
  const offered = await quickRows(page).allInnerTexts();
  expect(
    offered.filter((each) => /Connect to|Forget|sessions|Probe|Pause|Resume/u.test(each)),
  ).toEqual([]);
  await page.keyboard.press('Escape');
});

test('no process of ours runs, and the browser complains about nothing of ours', () => {
  expect(editor.complaints.filter((each) => /poolguard/iu.test(each))).toEqual([]);
});

/** A folder that only an extension knows cannot be searched by name. */
async function open(name: string): Promise<void> {
  await editor.page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: name })
    .first()
    .dblclick();
  await editor.page.locator('.monaco-editor .view-lines').first().waitFor();
}
