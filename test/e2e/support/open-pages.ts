import type { Page } from 'playwright-core';

/** The pages of this test file that are open now. */
export const openPages = new Set<Page>();

export function noteOpen(page: Page): void {
  openPages.add(page);
  page.once('close', () => openPages.delete(page));
}
