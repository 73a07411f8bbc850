import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { aMoment } from './patience.ts';
import { answerInput, openFile, runCommand } from './quick-pick.ts';
import { until } from './until.ts';

/** Connects to what is typed, under the name that is suggested. */
async function connectByTyping(page: Page, url: string): Promise<void> {
  await runCommand(page, 'Poolguard: Connect to a database');
  await answerInput(page, 'Connect to a PostgreSQL database', url);
  await answerInput(page, 'Name this connection');
}

export async function showProblems(page: Page): Promise<void> {
  await pressUntil(page, 'Control+Shift+m', page.locator('.markers-panel'));
}

/** The rows of the Problems panel that speak of a rule. */
export function problemsOf(page: Page, rule: string): Locator {
  return page.locator('.markers-panel .monaco-list-row', { hasText: rule });
}

/** Webviews are pages in nested frames; ours is recognised by its element. */
export function findWebview(page: Page, element: string): Promise<FrameLocator> {
  return until(() => visibleWebview(page, element));
}

/** Those beside it come and go, so it is kept by its name. */
async function visibleWebview(page: Page, element: string): Promise<FrameLocator | undefined> {
  for (const each of await page.locator('iframe.webview.ready:visible').all()) {
    const name = await each.getAttribute('name', { timeout: aMoment }).catch(() => null);
    const webview = page
      .frameLocator(`iframe.webview[name="${name}"]`)
      .frameLocator('iframe#active-frame');
    if ((await webview.locator(element).count()) > 0) return webview;
  }
  return undefined;
}

export async function screenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(import.meta.dirname, '../../../media', name) });
}

/** Waits until the hover of the language status says it. */
export async function languageStatusIs(page: Page, text: string): Promise<void> {
  const item = page.locator('#status\\.languageStatus');
  await expect
    .poll(async () => {
      await item.hover();
      return page
        .locator('.monaco-hover .language-status, .hover-language-status')
        .allInnerTexts()
        .then((texts) => texts.join('\n'));
    })
    .toContain(text);
  await page.mouse.move(700, 500);
}

/** Opens the code actions where the cursor is, and applies one by keyboard. */
export async function chooseAction(page: Page, title: string): Promise<void> {
  await focusAction(page, title);
  await page.keyboard.press('Enter');
  await until(async () => (await page.locator('.action-widget:visible').count()) === 0);
}

/** Opens the code actions where the cursor is, until one has the focus; what they are. Diagnostics that come in meanwhile close the menu. */
export async function focusAction(page: Page, title: string): Promise<string[]> {
  const menu = page.locator('.action-widget:visible');
  const rows = menu.locator('.monaco-list-row.action');
  const textsOf = async (each: Locator): Promise<string[]> =>
    (await each.allInnerTexts()).map((text) => text.trim());
  let titles: string[] = [];
  let moment = aMoment / 2;
  await until(async () => {
    titles = await textsOf(rows);
    if (titles.length === 0) await openActions(page, (moment *= 2));
    else if (
      (await textsOf(menu.locator('.monaco-list-row.focused'))).some((text) => text.includes(title))
    )
      return true;
    else
      await page.keyboard.press(
        titles.some((text) => text.includes(title)) ? 'ArrowDown' : 'Escape',
      );
    return false;
  });
  return titles;
}

/** In the editor, wherever the focus is: the list of problems has a menu of its own for the same keys. */
async function openActions(page: Page, withinMs: number): Promise<void> {
  await inputOf(page).press('Control+.');
  // Not at all when there is nothing to offer yet.
  await page
    .locator('.action-widget:visible .monaco-list-row.action')
    .first()
    .waitFor({ timeout: withinMs })
    .catch(() => undefined);
}

/** What takes the keys in the editor that is active. */
function inputOf(page: Page): Locator {
  return page
    .locator('.editor-group-container.active .monaco-editor')
    .locator('.native-edit-context, textarea.inputarea')
    .first();
}

/** Writes into the editor that is active, in place of all that stands there; nothing is saved. */
export async function replaceText(page: Page, text: string): Promise<void> {
  await page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Clicks until the click shows: what is drawn anew under the pointer swallows one. Some are there only while the pointer is over what they belong to. */
export async function clickUntil(target: Locator, shown: Locator, owner = target): Promise<void> {
  await until(async () => {
    await owner.hover({ timeout: aMoment }).catch(() => undefined);
    await target.click({ timeout: aMoment }).catch(() => undefined);
    return shown
      .first()
      .waitFor({ timeout: 2 * aMoment })
      .then(
        () => true,
        () => false,
      );
  });
}

/** Presses a key until it shows: a window that is busy swallows one. What it opens or closes may take longer each time before it is pressed again. */
export async function pressUntil(
  page: Page,
  key: string,
  target: Locator,
  state: 'visible' | 'hidden' = 'visible',
): Promise<void> {
  let moment = aMoment;
  await until(async () => {
    await page.keyboard.press(key);
    return target
      .first()
      .waitFor({ state, timeout: (moment *= 2) })
      .then(
        () => true,
        () => false,
      );
  });
}

/** Puts the pointer over it until the hover shows: what is drawn anew under the pointer closes one. */
export async function hoverUntil(page: Page, target: Locator, shown: Locator): Promise<void> {
  await until(async () => {
    await page.mouse.move(0, 0);
    await target.hover({ timeout: aMoment }).catch(() => undefined);
    return shown
      .first()
      .waitFor({ timeout: 2 * aMoment })
      .then(
        () => true,
        () => false,
      );
  });
}

/** Opens a file with a text in it, whatever was done to it before. */
export async function openWith(page: Page, name: string, text: string): Promise<void> {
  await openFile(page, name);
  await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

const elements = {
  Pools: 'poolguard-pools-view',
  Blocking: 'poolguard-blocking-view',
  'Running apps': 'poolguard-running-view',
  'Pool size': 'poolguard-size-view',
} as const;

/** Shows one view of the sidebar, whatever is shown there now. */
export async function showView(page: Page, title: keyof typeof elements): Promise<FrameLocator> {
  const shown = await visibleWebview(page, elements[title]);
  if (shown !== undefined) return shown;
  await runCommand(page, `Poolguard: Focus on ${title} View`);
  return findWebview(page, elements[title]);
}

/** Leaves the others more room, for a picture. */
export async function foldView(page: Page, title: string): Promise<void> {
  const header = page.locator('.sidebar .pane-header.expanded', { hasText: title });
  if ((await header.count()) > 0) await header.click();
  await expect.poll(() => header.count()).toBe(0);
}

/** The pools with a database connected: what is connected already is used as it is. */
export async function showConnected(page: Page, url: string): Promise<FrameLocator> {
  const view = await showView(page, 'Pools');
  const live = view.locator('[data-kind=live]');
  const connect = view.locator('poolguard-button.connect');
  await live.or(connect).first().waitFor();
  if ((await live.count()) === 0) await connectByTyping(page, url);
  await live.first().waitFor();
  return view;
}

export async function showSessions(page: Page): Promise<FrameLocator> {
  await runCommand(page, 'Poolguard: Open sessions');
  return findWebview(page, 'poolguard-sessions-panel');
}
