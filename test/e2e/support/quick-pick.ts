import type { Locator, Page } from 'playwright-core';
import { aMoment } from './patience.ts';
import { until } from './until.ts';

const widget = '.quick-input-widget:visible';

/** Runs a command through the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await searchRow(page, 'F1', `>${title}`, title);
  await page.keyboard.press('Enter');
}

export async function openFile(page: Page, name: string): Promise<void> {
  await searchRow(page, 'Control+p', name, name);
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator('.editor-group-container.active .monaco-editor .view-lines').first().waitFor();
}

/** Types a text into the palette, and waits for a row; nothing is chosen. */
export async function askPalette(page: Page, text: string, row: string): Promise<void> {
  await searchRow(page, 'F1', `>${text}`, row);
}

/** Chooses a row of the quick pick that is open. */
export async function chooseRow(page: Page, text: string): Promise<void> {
  await until(async () => {
    const seen = await look(page);
    return seen !== null && stepTo(page, seen, text);
  });
  await page.keyboard.press('Enter');
}

/** The rows of the quick pick that is open. */
export function quickRows(page: Page): Locator {
  return page.locator(`${widget} .quick-input-list .monaco-list-row`);
}

/** Fills the input with that title, or takes what stands in it. */
export async function answerInput(page: Page, title: string, text?: string): Promise<void> {
  const input = titledInput(page, title);
  await input.waitFor();
  if (text !== undefined) await input.fill(text);
  await input.press('Enter');
}

/** The box of the input with that title. */
export function titledInput(page: Page, title: string): Locator {
  return page.locator(widget, { hasText: title }).locator('.quick-input-box input');
}

interface Seen {
  /** Whether an extension asks there, rather than the palette or the search for files. */
  readonly isTitled: boolean;
  readonly hasFocus: boolean;
  readonly value: string;
  /** The text of the row that Enter would choose. */
  readonly focused: string | null;
  readonly rows: readonly string[];
}

/** The quick input that is open, or null. */
function look(page: Page): Promise<Seen | null> {
  return page.evaluate<Seen | null>(`(() => {
    const widget = [...document.querySelectorAll('.quick-input-widget')].find((each) => each.checkVisibility());
    const input = widget?.querySelector('.quick-input-box input');
    if (!input) return null;
    const textOf = (row) => row.textContent.replace(/\\s+/gu, ' ');
    const rows = [...widget.querySelectorAll('.quick-input-list .monaco-list-row')];
    const focused = rows.find((row) => row.classList.contains('focused'));
    return {
      isTitled: widget.querySelector('.quick-input-titlebar')?.checkVisibility() ?? false,
      hasFocus: document.activeElement === input,
      value: input.value,
      focused: focused ? textOf(focused) : null,
      rows: rows.map(textOf),
    };
  })()`);
}

/** Until the row has the focus. Whatever took the focus away or closed the list meanwhile, the next step starts from what is there. */
async function searchRow(page: Page, key: string, text: string, row: string): Promise<void> {
  let askedAt = 0;
  let isOldAfter = aMoment;
  await until(async () => {
    const seen = await look(page);
    if (seen?.value === text && !seen.isTitled) {
      if (await stepTo(page, seen, row)) return true;
      if (performance.now() - askedAt < isOldAfter) return false;
      // A list is made once for a text: what an extension adds later is not in it.
      isOldAfter *= 2;
      await page.keyboard.press('Escape');
    }
    await ask(page, key, text, seen);
    askedAt = performance.now();
    return false;
  });
}

/** Types into the list that is open, or opens it. A window that is busy with something else takes the focus back, and the list closes again. */
async function ask(page: Page, key: string, text: string, seen: Seen | null): Promise<void> {
  if (seen === null || seen.isTitled || seen.value === text) await page.keyboard.press(key);
  await page
    .locator(`${widget} .quick-input-filter input`)
    .fill(text, { timeout: aMoment })
    .catch(() => undefined);
}

/** One key closer to the row: whether it has the focus now, so that Enter chooses it. */
async function stepTo(page: Page, seen: Seen, row: string): Promise<boolean> {
  if (!seen.rows.some((each) => each.includes(row))) return false;
  if (!seen.hasFocus) {
    await page
      .locator(`${widget} .quick-input-filter input`)
      .focus({ timeout: aMoment })
      .catch(() => undefined);
    return false;
  }
  if (seen.focused?.includes(row) === true) return true;
  await page.keyboard.press('ArrowDown');
  return false;
}
