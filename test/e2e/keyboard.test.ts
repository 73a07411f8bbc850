import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEditor, type Editor } from './support/editor.ts';
import { openFile } from './support/quick-pick.ts';
import { chooseAction, pressUntil, screenshot } from './support/workbench.ts';

const orders = `import { Pool } from 'pg';

const pool = new Pool({ max: 10, connectionTimeoutMillis: 2_000 });
pool.on('error', (error) => console.error('idle client', error));

export async function cancelOrder(id: number) {
  const client = await pool.connect();
  const { rows } = await client.query('SELECT paid FROM orders WHERE id = $1', [id]);
  await client.query('DELETE FROM orders WHERE id = $1', [id]);
  client.release();
  return rows[0].paid;
}

export async function countOrders() {
  const client = await pool.connect();
  try {
    return await client.query('SELECT count(*) FROM orders');
  } finally {
    client.release();
  }
}
`;

/** What WCAG 2.2 asks of graphics (success criterion 1.4.11). */
const readable = 3;

let editor: Editor;

beforeAll(async () => {
  editor = await startEditor({
    'notes.md': '',
    'src/orders.ts': orders,
    '.vscode/settings.json': settingsFor('Dark Modern'),
    'package.json': '{ "name": "shop-api", "dependencies": { "pg": "^8" } }',
  });
});

afterAll(() => editor.stop());

test.each([
  ['dark', 'Dark Modern', 'vs-dark'],
  ['light', 'Light Modern', 'vs'],
  ['high-contrast', 'Default High Contrast', 'hc-black'],
  ['high-contrast-light', 'Default High Contrast Light', 'hc-light'],
])('the bar beside held clients can be seen in the theme %s', async (name, theme, kind) => {
  const { page } = editor;
  await openFile(page, 'orders.ts');
  await writeFile(join(editor.folder, '.vscode/settings.json'), settingsFor(theme));
  await page.locator(`.monaco-workbench.${kind}`).waitFor();
  await page.locator('.squiggly-error').first().waitFor();
  await page.locator('.view-line', { hasText: 'leaks at line 8' }).waitFor();
  await page.locator('.codelens-decoration', { hasText: 'max 10' }).waitFor();
  const contrasts = async () => (await barContrasts(page)).map((contrast) => Math.floor(contrast));
  await expect.poll(async () => (await contrasts()).length).toBe(4 + 5);
  await expect.poll(async () => Math.min(...(await contrasts()))).toBeGreaterThanOrEqual(readable);
  await screenshot(page, `theme-${name}.png`);
});

test('a finding is reached, mended and explained by keyboard alone', async () => {
  const { page } = editor;
  await openFile(page, 'notes.md');
  await openFile(page, 'orders.ts');
  await page.keyboard.press('Control+Home');
  await page.locator('.squiggly-error').first().waitFor();
  await pressUntil(page, 'F8', page.locator('.marker-widget', { hasText: 'no-unreleased-client' }));
  await pressUntil(page, 'Escape', page.locator('.marker-widget'), 'hidden');
  await chooseAction(page, 'Release the client in a `finally`');
  await expect.poll(() => page.locator('.squiggly-error').count()).toBe(0);
  await goTo(page, 7, 10);
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Control+i');
  await page
    .locator('.monaco-hover:visible', { hasText: /held from line 7 to line \d+/u })
    .waitFor();
});

async function goTo(page: Page, line: number, column: number): Promise<void> {
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await pressUntil(page, 'Control+g', input);
  await input.fill(`:${line}:${column}`);
  await input.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

function settingsFor(theme: string): string {
  return JSON.stringify({ 'workbench.colorTheme': theme, 'poolguard.lint.heldSpans': true });
}

/** Of each line's bar with the background of the editor. */
async function barContrasts(page: Page): Promise<number[]> {
  const colors = await page.evaluate<{
    readonly bars: readonly string[];
    readonly background: string;
  }>(`({
    bars: [...document.querySelectorAll('.editor-instance .view-overlays .cdr')].map((element) => getComputedStyle(element)).filter((style) => style.borderLeftWidth === '2px').map((style) => style.borderLeftColor),
    background: getComputedStyle(document.querySelector('.editor-instance .monaco-editor-background')).backgroundColor,
  })`);
  return colors.bars.map((bar) => contrast(luminance(bar), luminance(colors.background)));
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Relative luminance of `rgb(r, g, b)`, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/gu) ?? [])
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
