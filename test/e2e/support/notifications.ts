import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { runCommand } from './quick-pick.ts';

/** Notes every notification that the workbench shows: each goes again by itself after some seconds. */
export async function noteNotifications(page: Page): Promise<void> {
  await page.addInitScript(`(() => {
    const noted = (globalThis.notedNotifications = []);
    const note = () => {
      for (const { textContent } of document.querySelectorAll('.notifications-toasts .notification-list-item-message'))
        if (textContent !== '' && !noted.includes(textContent)) noted.push(textContent);
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  })()`);
}

/** Waits until a notification has said it; one that is gone again counts. */
export async function notified(page: Page, text: RegExp): Promise<void> {
  await expect
    .poll(() => page.evaluate<readonly string[]>('globalThis.notedNotifications'))
    .toContainEqual(expect.stringMatching(text));
}

/** Presses a button of a notification, in the list that keeps them all. */
export async function answerNotification(page: Page, text: RegExp, button: string): Promise<void> {
  await notified(page, text);
  await runCommand(page, 'Notifications: Show Notifications');
  await page
    .locator('.notifications-center .notification-list-item', { hasText: text })
    .locator('.monaco-button', { hasText: button })
    .click();
}
