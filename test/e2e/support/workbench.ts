import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Types a text into the palette. A window that is still busy with something else takes the focus back, and the palette closes again. */
export async function askPalette(page: Page, text: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.keyboard.press('F1');
        return page
          .locator('.quick-input-widget input[type=text]')
          .fill(`>${text}`, { timeout: 2000 })
          .then(
            () => true,
            () => false,
          );
      },
      { timeout: 60_000 },
    )
    .toBe(true);
}

/** Runs a command through the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await askPalette(page, title);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
}

/** Connects to what is typed, under the name that is suggested. */
export async function connectByTyping(page: Page, url: string): Promise<void> {
  await runCommand(page, 'Poolguard: Connect to a database');
  await answerInput(page, 'Connect to a PostgreSQL database', url);
  await answerInput(page, 'Name this connection');
}

/** Fills the input with that title, or takes what stands in it. */
export async function answerInput(page: Page, title: string, text?: string): Promise<void> {
  const widget = page.locator('.quick-input-widget:visible', { hasText: title });
  const input = widget.locator('.quick-input-box input');
  await input.waitFor();
  if (text !== undefined) await input.fill(text);
  await input.press('Enter');
}

export async function openFile(page: Page, name: string): Promise<void> {
  // As with the palette, a window that is still busy closes the list again.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+p');
        return page
          .locator('.quick-input-widget input[type=text]')
          .fill(name, { timeout: 2000 })
          .then(
            () => true,
            () => false,
          );
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.monaco-editor .view-lines').first().waitFor();
}

export async function showProblems(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+m');
  await page.locator('.markers-panel').waitFor();
}

/** The rows of the Problems panel that speak of a rule. */
export function problemsOf(page: Page, rule: string): Locator {
  return page.locator('.markers-panel .monaco-list-row', { hasText: rule });
}

/** Webviews are pages in nested frames; ours is told by its element. */
export async function findWebview(page: Page, element: string): Promise<FrameLocator> {
  const outer = page.locator('iframe.webview.ready');
  const found: FrameLocator[] = [];
  const look = async (): Promise<number> => {
    for (let index = 0; index < (await outer.count()); index += 1) {
      const inner = outer.nth(index).contentFrame().frameLocator('iframe');
      if ((await inner.locator(element).count()) > 0) found.push(inner);
    }
    return found.length;
  };
  await expect.poll(look, { timeout: 60_000 }).toBeGreaterThan(0);
  const [webview] = found;
  if (webview === undefined) throw new Error(`No webview shows ${element}.`);
  return webview;
}

export async function screenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(import.meta.dirname, '../../../media', name) });
}

/** Waits until the hover of the language status says it. */
export async function languageStatusIs(page: Page, text: string): Promise<void> {
  const item = page.locator('#status\\.languageStatus');
  await expect
    .poll(
      async () => {
        await item.hover();
        return page
          .locator('.monaco-hover .language-status, .hover-language-status')
          .allInnerTexts()
          .then((texts) => texts.join('\n'));
      },
      { timeout: 60_000 },
    )
    .toContain(text);
  await page.mouse.move(700, 500);
}

/** Opens the code actions where the cursor is; one of them must be there. Diagnostics that come in while the menu opens close it again. */
export async function openActions(page: Page, title: string): Promise<Locator> {
  const menu = page.locator('.action-widget').first();
  await expect
    .poll(
      async () => {
        await page.keyboard.press('Control+.');
        const isOpen = await menu
          .locator('.monaco-list-row', { hasText: title })
          .first()
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          );
        if (!isOpen) await page.keyboard.press('Escape');
        return isOpen;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return menu;
}

/** Opens the code actions where the cursor is, and applies one by keyboard. */
export async function chooseAction(page: Page, title: string): Promise<void> {
  const menu = await openActions(page, title);
  const titles = (await menu.locator('.monaco-list-row.action').allInnerTexts()).map((text) =>
    text.trim(),
  );
  const focused = async (): Promise<string> =>
    (await menu.locator('.monaco-list-row.focused').innerText()).trim();
  for (let moves = 0; moves < titles.length && !(await focused()).startsWith(title); moves += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.action-widget:visible').count()).toBe(0);
}
