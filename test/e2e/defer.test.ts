import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { installPlugin, ours, packPlugin } from '../support/packed-plugin.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { startEditor, type Editor } from './support/editor.ts';
import type { ExtensionId } from './support/extensions.ts';
import { openFile } from './support/quick-pick.ts';
import { focusAction, pressUntil, showProblems } from './support/workbench.ts';

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

let editor: Editor | undefined;
/** With the packed plugin in it. */
let packed: TemporaryFolder;
beforeAll(async () => {
  packed = await createTemporaryFolder();
  await packPlugin(packed);
});
afterAll(() => packed[Symbol.asyncDispose]());

describe('beside the ESLint extension', () => {
  beforeAll(() => open(eslintFiles, 'dbaeumer.vscode-eslint', ours('eslint', 'pg')));
  beforeEach(async () => {
    await write('.vscode/settings.json', '{}');
    await write('eslint.config.mjs', configFor('error'));
  });
  afterAll(() => stop());

  test('a finding is reported once, by ESLint, and what ESLint does not report is still ours', async () => {
    await reportsAre([`eslint ${leak}`, `poolguard ${listener}`]);
  });

  test('a code action shows the path of ESLint’s finding', async () => {
    const { page } = running();
    await reportsAre([`eslint ${leak}`, `poolguard ${listener}`]);
    await page.locator('.monaco-editor .view-line', { hasText: 'pool.connect' }).click();
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
    const title = 'Show the path of this client';
    expect(
      (await focusAction(page, title)).filter((each) => each.includes('for this line')),
    ).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.peekview-widget .monaco-list-row').first().waitFor();
    await pressUntil(page, 'Escape', page.locator('.peekview-widget'), 'hidden');
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
    await reportsAre(expected);
  });

  test('where the ESLint extension is switched off, ours is shown', async () => {
    await write('.vscode/settings.json', JSON.stringify({ 'eslint.enable': false }));
    await expect.poll(() => reports(running().page)).toContain(`poolguard ${leak}`);
  });

  test('a rule that ESLint’s configuration switches off is off', async () => {
    await write('eslint.config.mjs', configFor('off'));
    await reportsAre([`poolguard ${listener}`]);
  });
});

describe('in Restricted Mode', () => {
  afterEach(() => stop());

  test('the configuration of ESLint does not run', async () => {
    await open(eslintFiles, 'dbaeumer.vscode-eslint', ours('eslint', 'pg'), true);
    await reportsAre([`poolguard ${leak}`, `poolguard ${listener}`]);
    expect(existsSync(join(running().folder, 'config-ran'))).toBe(false);
  });
});

describe('beside the oxlint extension', () => {
  beforeAll(() => {
    const config = {
      jsPlugins: ['eslint-plugin-poolguard'],
      categories: { correctness: 'off' },
      rules: { [leak]: 'error' },
    };
    return open(
      { 'orders.js': orders, 'package.json': manifest, '.oxlintrc.json': JSON.stringify(config) },
      'oxc.oxc-vscode',
      ours('oxlint', 'pg'),
    );
  });
  afterAll(() => stop());

  test('a finding is reported once, by oxlint', async () => {
    await reportsAre(['oxc poolguard(no-unreleased-client)', `poolguard ${listener}`]);
  });

  test('ours is back when oxlint reports it no more', async () => {
    await write(
      '.vscode/settings.json',
      JSON.stringify({ 'poolguard.lint.whenEslintReports': 'both' }),
    );
    await reportsAre([
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
  linter: ExtensionId,
  links: Readonly<Record<string, string>>,
  isRestricted = false,
): Promise<void> {
  editor = await startEditor(files, { extensions: [linter], isRestricted });
  const folder = { ...packed, path: editor.folder };
  await installPlugin(packed.path, folder, links);
  await openFile(editor.page, 'orders.js');
  await showProblems(editor.page);
}

/** Whole at once, and only where it changes something: whoever watches the file never reads half of it. */
async function write(name: string, text: string): Promise<void> {
  const path = join(running().folder, name);
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(join(path, '..'), { recursive: true });
  const whole = join(running().folder, '..', 'next');
  await writeFile(whole, text);
  await rename(whole, path);
}

/** Waits until the Problems panel lists exactly these, `<source> <code>` each. */
async function reportsAre(expected: readonly string[]): Promise<void> {
  await expect.poll(() => reports(running().page)).toEqual([...expected].sort());
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
