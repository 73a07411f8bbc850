import type { Page } from 'playwright-core';

const underlines = '.monaco-editor .squiggly-error, .monaco-editor .squiggly-warning';

/** Of the page, where the clock and the eye of the measurement are. */
interface Watched {
  poolguardPressed?: number;
  poolguardCounts?: { readonly at: number; readonly count: number }[];
}

/** From here on the page notes when keys and buttons go down, and whenever the number of underlines on the screen changes. */
export async function startWatch(page: Page): Promise<void> {
  await page.evaluate((selector) => {
    const watched = globalThis as unknown as Watched & {
      readonly document: {
        addEventListener(type: string, listener: () => void, isEarly: boolean): void;
        querySelectorAll(selector: string): { readonly length: number };
        readonly body: object;
      };
      readonly MutationObserver: new (look: () => void) => {
        observe(node: object, what: object): void;
      };
    };
    const press = () => {
      watched.poolguardPressed = performance.now();
    };
    for (const type of ['keydown', 'mousedown'])
      watched.document.addEventListener(type, press, true);
    watched.poolguardCounts = [];
    new watched.MutationObserver(() => {
      const { length: count } = watched.document.querySelectorAll(selector);
      if (watched.poolguardCounts?.at(-1)?.count !== count)
        watched.poolguardCounts?.push({ at: performance.now(), count });
    }).observe(watched.document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['class'],
    });
  }, underlines);
}

export async function countUnderlines(page: Page): Promise<number> {
  return page.locator(underlines).count();
}

/** In ms from the last key or button that `act` presses until the number of underlines is as wanted. */
export async function timeUntil(
  page: Page,
  act: () => Promise<void>,
  isWanted: (count: number) => boolean,
): Promise<number> {
  await page.evaluate(() => {
    (globalThis as Watched).poolguardCounts?.splice(0);
  });
  await act();
  for (;;) {
    const { pressed, counts } = await page.evaluate(() => ({
      pressed: (globalThis as Watched).poolguardPressed ?? 0,
      counts: (globalThis as Watched).poolguardCounts ?? [],
    }));
    const found = counts.find(({ at, count }) => at > pressed && isWanted(count));
    if (found !== undefined) return found.at - pressed;
    await page.waitForTimeout(20);
  }
}
