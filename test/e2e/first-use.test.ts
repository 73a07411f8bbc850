import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { artifactNamed } from '../../scripts/published/artifacts.ts';
import { readPacked } from '../../scripts/published/pack.ts';
import { toInstall } from '../../src/publication.ts';
import { startEditor, type Editor } from './support/editor.ts';
import { postgresUrl } from '../support/postgres-url.ts';
import { chooseRow, openFile, runCommand } from './support/quick-pick.ts';
import {
  findWebview,
  languageStatusIs,
  pressUntil,
  replaceText,
  screenshot,
  showConnected,
} from './support/workbench.ts';

const leak =
  "import { Pool } from 'pg';\nexport const pool = new Pool({ max: 3 });\npool.on('error', () => undefined);\nexport async function look() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";
const config =
  "import { defineConfig } from 'eslint/config';\n\nexport default defineConfig([\n  { rules: { eqeqeq: 'error' } },\n]);\n";

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor(
    {
      'src/look.ts': leak,
      'eslint.config.js': config,
      'package.json':
        '{ "type": "module", "packageManager": "pnpm@9.1.0", "dependencies": { "pg": "^8" } }',
      'calls.json': '[]',
    },
    {
      extensions: ['poolguard-test.tool-caller'],
      settings: { 'workbench.colorTheme': 'Light Modern', 'chat.disableAIFeatures': false },
    },
  );
});
afterAll(() => editor.stop());

test('nothing pops up before somebody asks; then the walkthrough opens and its first step shows a finding', async () => {
  const { page } = editor;
  await openFile(page, 'look.ts');
  await page.locator('.squiggly-error').first().waitFor();
  expect(await page.locator('.notification-toast, .gettingStartedContainer').count()).toBe(0);
  await runCommand(page, 'Poolguard: Get started');
  const steps = page.locator('.gettingStartedContainer .getting-started-step');
  await expect.poll(() => steps.count()).toBe(4);
  await page
    .locator('.getting-started-step.expanded')
    .getByText('Open a file with a leak')
    .waitFor();
  await (await findWebview(page, 'svg')).locator('svg text').first().waitFor();
  await screenshot(page, 'walkthrough.png');
  await page.locator('.getting-started-step.expanded .monaco-button').first().click();
  await page.locator('.editor-group-container.active .squiggly-error').first().waitFor();
  await page
    .locator('.editor-group-container.active .view-lines', { hasText: 'placeOrder' })
    .waitFor();
});

test("what runs is the packed file, as the editor's own command installed it", async () => {
  const extensions = join(dirname(editor.folder), 'extensions');
  const installed = (await readdir(extensions)).filter((name) =>
    name.startsWith('poolguard.poolguard-'),
  );
  expect(installed).toHaveLength(1);
  const files = await readPacked(artifactNamed('Poolguard for VS Code'), inject('vsix'));
  const code = [...files].filter(([path]) => path.startsWith('dist/'));
  expect(code.length).toBeGreaterThan(10);
  for (const [path, bytes] of code)
    expect((await readFile(join(extensions, installed[0] ?? '', path))).equals(bytes), path).toBe(
      true,
    );
});

test('the language status tells what was found, and follows the fix', async () => {
  const { page } = editor;
  await openFile(page, 'look.ts');
  await languageStatusIs(page, 'Poolguard: 1 error');
  await replaceText(
    page,
    leak.replace(
      "  const client = await pool.connect();\n  await client.query('SELECT 1');",
      "  await pool.query('SELECT 1');",
    ),
  );
  await languageStatusIs(page, 'Poolguard: No findings');
  await replaceText(page, leak);
  await page.keyboard.press('Control+s');
  await languageStatusIs(page, 'Poolguard: 1 error');
});

test('ESLint is set up by keyboard: the change is shown, applied, and the install command offered', async () => {
  const { page } = editor;
  await runCommand(page, 'Poolguard: Set up ESLint in this project');
  await page
    .locator('.monaco-diff-editor .modified .view-lines', { hasText: 'eslint-plugin-poolguard' })
    .waitFor();
  await chooseRow(page, 'Apply to eslint.config.js');
  const written = join(editor.folder, 'eslint.config.js');
  await expect
    .poll(() => readFile(written, 'utf8'))
    .toBe(
      config
        .replace(
          "'eslint/config';\n",
          "'eslint/config';\nimport poolguard from 'eslint-plugin-poolguard';\n",
        )
        .replace("'error' } },\n", "'error' } },\n  poolguard.configs.recommended,\n"),
    );
  await page
    .locator('.editor-group-container.active .view-lines', { hasText: 'eslint-plugin-poolguard' })
    .waitFor();
  await page
    .locator('.notification-toast', {
      hasText: `pnpm add --save-dev ${toInstall('eslint-plugin-poolguard')} eslint`,
    })
    .waitFor();
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('tools tell findings and refuse what is none of theirs', async () => {
  await openFile(editor.page, 'look.ts');
  await languageStatusIs(editor.page, 'Poolguard: 1 error');
  const [found, outside, unknown, nothing, closed] = await call(editor, [
    { name: 'poolguard_get_pool_findings', input: { file: 'src/look.ts' } },
    { name: 'poolguard_get_pool_findings', input: { file: '../../../etc/passwd' } },
    { name: 'poolguard_get_pool_findings', input: { sql: 'DROP TABLE orders' } },
    { name: 'poolguard_get_pool_findings', input: {} },
    { name: 'poolguard_get_session_snapshot', input: {} },
  ]);
  expect(found).toContain('poolguard/no-unreleased-client');
  expect(found).toContain('"src/look.ts": 1 error');
  expect(outside).toContain('outside the workspace');
  expect(unknown).toMatch(
    /which this tool does not accept|must NOT have additional properties|failed/u,
  );
  expect(nothing).toContain('src/look.ts');
  expect(closed).toContain('No connection is open');
});

test('the probe tool asks first, and naming the database', async () => {
  const { page } = editor;
  await showConnected(page, postgresUrl());
  await page.locator('.statusbar-item', { hasText: /\d+\/97 connections/u }).waitFor();
  const [snapshot] = await call(editor, [{ name: 'poolguard_get_session_snapshot', input: {} }]);
  expect(snapshot).toMatch(/^\d+ of 97 connections used, \d+ free\./mu);
  await writeCalls(editor, [{ name: 'poolguard_run_pool_probe', input: {} }]);
  await runCommand(page, 'Test: Call the tools that calls.json names');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  expect(await dialog.innerText()).toMatch(
    /Probe the pool size\?[^]*up to 32 connections[^]*15 seconds/u,
  );
  await pressUntil(page, 'Escape', dialog, 'hidden');
  expect((await answersOf(editor))[0]).toMatch(/^failed: .*Cancel/u);
});

interface Call {
  readonly name: string;
  readonly input: object;
}

async function call(to: Editor, calls: readonly Call[]): Promise<string[]> {
  await writeCalls(to, calls);
  await runCommand(to.page, 'Test: Call the tools that calls.json names');
  return answersOf(to);
}

async function writeCalls({ folder }: Editor, calls: readonly Call[]): Promise<void> {
  await rm(join(folder, 'answers.json'), { force: true });
  await writeFile(join(folder, 'calls.json'), JSON.stringify(calls));
}

async function answersOf({ folder }: Editor): Promise<string[]> {
  const read = () => readFile(join(folder, 'answers.json'), 'utf8').catch(() => '');
  await expect.poll(read).toMatch(/\]$/u);
  return JSON.parse(await read()) as string[];
}
