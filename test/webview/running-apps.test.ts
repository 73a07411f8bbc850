import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyActivity } from '../../src/activity/activity-model.ts';
import { shownKey } from '../../src/editor/running/to-running-state.ts';
import { nothingRunning } from '../../src/webview/running-messages.ts';
import { shopActivity } from '../support/a-server.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import {
  aRunningApp,
  endedApp,
  leakingApp,
  placeIn,
  runningAt,
  runningState,
} from '../support/apps-under-watch.ts';
import { openWebview } from '../support/webview-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const alone = { connection: { kind: 'none', saved: 0 } } as const;
const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

test('without an application it says what there would be to see, and offers to run one; in Restricted Mode it says why not', async () => {
  await using view = await openWebview(browser, 'sidebar');
  const { page } = view;
  await view.show(emptyActivity, alone);
  await view.asked();
  await page.locator('poolguard-running poolguard-button.run').click();
  expect(await view.asked()).toEqual([{ kind: 'run-watched' }]);
  await view.send({ kind: 'running', running: { ...nothingRunning, isListening: true } });
  expect(await page.locator('poolguard-running .empty').innerText()).toContain(
    'in the terminal “pool watch”',
  );
  await view.send({ kind: 'running', running: { ...nothingRunning, isTrusted: false } });
  expect(words(await page.locator('poolguard-running .empty').innerText())).toBe(
    'Poolguard runs nothing in Restricted Mode.',
  );
  await view.show(shopActivity());
  expect(await page.locator('section.running').count()).toBe(1);
});

test('a pool that leaks: its counters, its queue, who holds its clients, and a click or a key on a place asks for it', async () => {
  await using view = await openWebview(browser, 'sidebar');
  const { page } = view;
  await view.show(emptyActivity, { ...alone, running: runningState([leakingApp]) });
  const pool = page.locator('poolguard-running-pool');
  expect(words(await pool.locator('.counters').innerText())).toBe('10 in use 0 idle 34 waiting');
  expect(
    await pool.getByRole('meter', { name: 'Clients in use' }).getAttribute('aria-valuenow'),
  ).toBe('10');
  expect(await pool.getByRole('img').getAttribute('aria-label')).toBe(
    'Clients in use and callers waiting in the last samples, 3 to 40, with max at 10',
  );
  expect(words(await pool.locator('.held li').first().innerText())).toBe(
    '3 out from src/repositories/orders.ts:41 longest 42 s called from src/routes/orders.ts:22',
  );
  expect(await pool.locator('.verdict.attention').count()).toBe(1);
  await view.asked();
  await pool.getByRole('button', { name: 'src/repositories/orders.ts:41' }).click();
  await pool.getByRole('button', { name: 'src/routes/users.ts:21' }).press('Enter');
  expect(await view.asked()).toEqual([
    { kind: 'code-place', key: shownKey(placeIn('src/repositories/orders.ts', 41)) },
    { kind: 'code-place', key: shownKey(placeIn('src/routes/users.ts', 21)) },
  ]);
  expect(view.complaints).toEqual([]);
});

test('ages go on between two reports, by the clock of the application, and the focus stays through a report', async () => {
  await using view = await openWebview(browser, 'sidebar');
  const { page } = view;
  await view.show(emptyActivity, { ...alone, running: runningState([leakingApp]) });
  const age = page.locator('poolguard-running-pool .held .age').first();
  await expect.poll(async () => Number(/\d+/.exec(await age.innerText())?.[0])).toBeGreaterThan(42);
  await page.getByRole('button', { name: 'src/routes/reports.ts:63' }).focus();
  await view.send({
    kind: 'running',
    running: runningState([leakingApp], { at: runningAt + 60_000 }),
  });
  expect(await age.innerText()).toContain('1 min');
  const focused = await page.evaluate(
    `(() => { let active = document.activeElement; while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement; return active?.textContent; })()`,
  );
  expect(focused).toBe('src/routes/reports.ts:63');
});

test('an application that ended stays with what never came back, and its ages stand still', async () => {
  await using view = await openWebview(browser, 'sidebar');
  await view.show(emptyActivity, { ...alone, running: runningState([aRunningApp(), endedApp]) });
  const ended = view.page.locator('.app.ended');
  expect(words(await ended.locator('h3').innerText())).toBe('worker.ts (shop) pid 4600 · ended');
  expect(words(await ended.locator('poolguard-running-pool [data-pool]').innerText())).toContain(
    '2 clients never released 2 out from src/routes/reports.ts:63',
  );
});

test('what an application says is text, and a leak is said to who cannot see', async () => {
  await using view = await openWebview(browser, 'sidebar');
  const { page } = view;
  const evil = '<img src=x onerror="window.harmed = true">';
  await view.show(emptyActivity, { ...alone, running: runningState([aRunningApp()]) });
  await view.send({
    kind: 'running',
    running: runningState([{ ...leakingApp, name: evil, broken: evil }]),
  });
  expect(await page.locator('article h3').innerText()).toContain(evil);
  expect(await page.evaluate('window.harmed')).toBeUndefined();
  expect(await page.locator('.news').innerText()).toContain(
    'is checked out for long, src/repositories/orders.ts:41.',
  );
});
