import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyActivity } from '../../src/activity/activity-model.ts';
import { shop, shopActivity } from '../support/a-server.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import { openWebview } from '../support/webview-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const none = { connection: { kind: 'none', saved: 0 } } as const;
const restricted = { connection: { kind: 'untrusted' } } as const;

test.each([
  ['blocking', none, 'Connect to a database to see which sessions block others.'],
  ['blocking', restricted, 'Poolguard connects to no database in Restricted Mode.'],
  ['blocking', {}, 'No session is blocked.'],
  ['size', none, 'Connect to a database to measure which pool size suits it.'],
  ['size', restricted, 'Poolguard connects to no database in Restricted Mode.'],
] as const)(
  'the view %s with %j says in one sentence that there is nothing',
  async (which, change, said) => {
    await using view = await openWebview(browser, which);
    const idle = shop.filter(({ blockedBy, pid }) => blockedBy.length === 0 && pid >= 104);
    await view.show('connection' in change ? emptyActivity : shopActivity(3, idle), change);
    expect(await view.page.locator('p').allInnerTexts()).toEqual([said]);
    expect(view.complaints).toEqual([]);
  },
);

test('the blocking tree folds and unfolds by keyboard, and a session unfolds to what can be done', async () => {
  await using view = await openWebview(browser, 'blocking');
  await view.show(shopActivity());
  const items = view.page.getByRole('treeitem');
  const all = await items.count();
  await items.first().press('ArrowLeft');
  expect(await items.count()).toBeLessThan(all);
  await items.first().press('ArrowRight');
  expect(await items.count()).toBe(all);
  await items.first().press('Enter');
  await view.page.locator('[data-action=terminate]').first().click();
  expect(await view.asked()).toContainEqual(
    expect.objectContaining({ kind: 'session', action: 'terminate' }),
  );
});
