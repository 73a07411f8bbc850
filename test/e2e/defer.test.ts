import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installPlugin, ours, packPlugin } from '../support/packed-plugin.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { startEditor, type Editor } from './support/editor.ts';
import { packLinterExtensions, type LinterExtensions } from './support/linter-extensions.ts';
import { openActions, openFile } from './support/workbench.ts';

/** A leak, which the configurations below name, and a pool without a listener for errors, which they do not. */
const orders = `import { Pool } from 'pg';

const pool = new Pool({ max: 10, connectionTimeoutMillis: 2_000 });

export async function placeOrder(customer) {
  const client = await pool.connect();
  await client.query('INSERT INTO orders (customer) VALUES ($1)', [customer]);
  client.release();
}
`;
const leak = 'poolguard/no-unreleased-client';
const listener = 'poolguard/require-pool-error-handler';
const configFor = (severity: string): string => `import { writeFileSync } from 'node:fs';
import poolguard from 'eslint-plugin-poolguard';
writeFileSync(new URL('./config-ran', import.meta.url), '');
export default [{ plugins: { poolguard }, rules: { '${leak}': ['${severity}', { checkExceptions: true }] } }];
`;
const manifest = '{ "name": "shop-api", "type": "module", "dependencies": { "pg": "^8" } }';
const eslintFiles = {
  'orders.js': orders,
  'package.json': manifest,
  'eslint.config.mjs': configFor('error'),
};

let extensions: LinterExtensions;
let editor: Editor | undefined;
beforeAll(async () => {
  extensions = await packLinterExtensions();
});
afterAll(() => extensions[Symbol.asyncDispose]());

describe('beside the ESLint extension', () => {
  afterAll(() => stop());

  test('a finding is reported once, by ESLint, and what ESLint does not report is still ours', async () => {
    const page = await open(eslintFiles, [extensions.eslint], ours('eslint', 'pg'));
    await reportsAre(page, [`eslint ${leak}`, `poolguard ${listener}`]);
  });

  test('a code action shows the path of ESLint’s finding', async () => {
    const { page } = running();
    await page
      .locator('.markers-panel .monaco-list-row', { hasText: 'no-unreleased-client' })
      .dblclick();
    await page.locator('.monaco-editor .view-line', { hasText: 'pool.connect' }).click();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    const title = 'Show the path of this client';
    const menu = await openActions(page, title);
    expect(
      await page.locator('.action-widget .monaco-list-row', { hasText: 'for this line' }).count(),
    ).toBe(0);
    await menu.locator('.monaco-list-row', { hasText: title }).click();
    await page.locator('.peekview-widget .monaco-list-row').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.peekview-widget').waitFor({ state: 'detached' });
  });

  test.each([
    ['own', [`eslint ${leak}`, `poolguard ${leak}`, `poolguard ${listener}`]],
    ['both', [`eslint ${leak}`, `poolguard ${leak}`, `poolguard ${listener}`]],
    ['defer', [`eslint ${leak}`, `poolguard ${listener}`]],
  ])('the setting says %s', async (value, expected) => {
    await write(
      '.vscode/settings.json',
      JSON.stringify({ 'poolguard.lint.whenEslintReports': value }),
    );
    await reportsAre(running().page, expected);
  });

  test('where the ESLint extension is switched off, ours is shown', async () => {
    await write('.vscode/settings.json', JSON.stringify({ 'eslint.enable': false }));
    await expect
      .poll(() => reports(running().page), { timeout: 60_000 })
      .toContain(`poolguard ${leak}`);
    await write('.vscode/settings.json', '{}');
  });

  test('a rule that ESLint’s configuration switches off is off', async () => {
    await write('eslint.config.mjs', configFor('off'));
    await reportsAre(running().page, [`poolguard ${listener}`]);
  });
});

describe('in Restricted Mode', () => {
  afterEach(() => stop());

  test('the configuration of ESLint does not run', async () => {
    const page = await open(eslintFiles, [extensions.eslint], ours('eslint', 'pg'), true);
    await reportsAre(page, [`poolguard ${leak}`, `poolguard ${listener}`]);
    expect(existsSync(join(running().folder, 'config-ran'))).toBe(false);
  });
});

describe('beside the oxlint extension', () => {
  afterAll(() => stop());

  test('a finding is reported once, by oxlint', async () => {
    const config = {
      jsPlugins: ['eslint-plugin-poolguard'],
      categories: { correctness: 'off' },
      rules: { [leak]: 'error' },
    };
    const page = await open(
      { 'orders.js': orders, 'package.json': manifest, '.oxlintrc.json': JSON.stringify(config) },
      [extensions.oxlint],
      ours('oxlint', 'pg'),
    );
    await reportsAre(page, ['oxc poolguard(no-unreleased-client)', `poolguard ${listener}`]);
  });

  test('ours is back when oxlint reports it no more', async () => {
    await write(
      '.vscode/settings.json',
      JSON.stringify({ 'poolguard.lint.whenEslintReports': 'both' }),
    );
    await reportsAre(running().page, [
      'oxc poolguard(no-unreleased-client)',
      `poolguard ${leak}`,
      `poolguard ${listener}`,
    ]);
  });
});

function running(): Editor {
  if (editor === undefined) throw new Error('No editor runs.');
  return editor;
}

async function stop(): Promise<void> {
  await editor?.stop();
  editor = undefined;
}

/** An editor with `orders.js` open and the list of problems below it; the workspace has the packed plugin installed, and `links`. */
async function open(
  files: Readonly<Record<string, string>>,
  linters: readonly string[],
  links: Readonly<Record<string, string>>,
  isRestricted = false,
): Promise<Page> {
  editor = await startEditor(files, { extensions: linters, isRestricted });
  const folder = { ...(await createTemporaryFolder()), path: editor.folder };
  await packPlugin(folder);
  await installPlugin(folder, links);
  await openFile(editor.page, 'orders.js');
  await editor.page.keyboard.press('Control+Shift+m');
  return editor.page;
}

async function write(name: string, text: string): Promise<void> {
  const path = join(running().folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}

/** Waits until the Problems panel lists exactly these, `<source> <code>` each. */
async function reportsAre(page: Page, expected: readonly string[]): Promise<void> {
  await expect.poll(() => reports(page), { timeout: 60_000 }).toEqual([...expected].sort());
}

async function reports(page: Page): Promise<string[]> {
  const rows = await page.locator('.markers-panel .monaco-list-row').allInnerTexts();
  return rows
    .flatMap((row) => {
      const { source, code } =
        / (?<source>eslint|oxc|poolguard) \(?(?<code>poolguard\/[\w-]+|poolguard\([\w-]+\))\)? \[Ln/u.exec(
          row.replace(/\s+/gu, ' '),
        )?.groups ?? {};
      return source === undefined || code === undefined ? [] : [`${source} ${code}`];
    })
    .sort();
}
