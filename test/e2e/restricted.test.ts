import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { askPalette, openFile, quickRows, runCommand } from './support/quick-pick.ts';
import { showView } from './support/workbench.ts';

const orders = `import { Pool } from 'pg';

const pool = new Pool();
pool.on('error', console.error);

export async function countOrders() {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT count(*) FROM orders');
  client.release();
  return rows[0].count;
}
`;

/** A configuration that leaves a mark when it runs. */
const config = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./eslint-config-ran', import.meta.url), '');
export default [];
`;

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor(
    {
      'src/orders.ts': orders,
      'eslint.config.mjs': config,
      '.env': 'DATABASE_URL=postgres://shop:hunter2@127.0.0.1:1/shop',
      '.vscode/settings.json': JSON.stringify({
        'poolguard.lint.exclude': ['**'],
        'poolguard.lint.whenEslintReports': 'both',
        'poolguard.activity.intervalSeconds': 'soon',
      }),
      'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
    },
    { isRestricted: true },
  );
  await stayRestricted();
});

afterAll(() => editor.stop());

test('in Restricted Mode a leak is underlined, and settings of the workspace that could hide it wait', async () => {
  const { page } = editor;
  await openFile(page, 'orders.ts');
  await page.locator('.squiggly-error').first().waitFor();
});

test('nobody can connect or run an application, and the view says why', async () => {
  const { page } = editor;
  const view = await showView(page, 'Running apps');
  await page
    .getByText('Poolguard does not connect to databases in Restricted Mode')
    .first()
    .waitFor();
  await view.getByText('Poolguard runs nothing in Restricted Mode').waitFor();
  await askPalette(page, 'Poolguard', 'Show Poolguard');
  expect(
    (await quickRows(page).allInnerTexts()).filter((each) =>
      /Connect to|Probe|Run with|Watch pools/u.test(each),
    ),
  ).toEqual([]);
  await page.keyboard.press('Escape');
});

test('nothing of the workspace has run, and the language server is the only process of ours', async () => {
  await openFile(editor.page, 'orders.ts');
  await editor.page.locator('.squiggly-error').first().waitFor();
  expect(existsSync(join(editor.folder, 'eslint-config-ran'))).toBe(false);
  const ours = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((each) => each.includes(join(editor.folder, '..', 'extensions', 'poolguard.')));
  expect(ours).toEqual([expect.stringContaining('server.cjs')]);
});

test('once the workspace is trusted the rest is there', async () => {
  const { page } = editor;
  await runCommand(page, 'Workspaces: Manage Workspace Trust');
  await page
    .locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' })
    .first()
    .click();
  await runCommand(page, 'Poolguard: Connect to a database');
  await quickRows(page).filter({ hasText: 'DATABASE_URL' }).waitFor();
  await page.keyboard.press('Escape');
});

/** A first window may ask whether the authors are trusted. */
async function stayRestricted(): Promise<void> {
  const { page } = editor;
  await page
    .getByText('Yes, I trust the authors')
    .or(page.locator('.statusbar-item', { hasText: 'Restricted Mode' }))
    .first()
    .waitFor();
  const no = page.locator('.monaco-dialog-box .monaco-button', { hasText: 'No' });
  if ((await no.count()) > 0) await no.first().click();
}
