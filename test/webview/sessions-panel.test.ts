import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generateActivity, generateLook } from '../../scripts/bench/panel/generated-activity.ts';
import { nextActivity } from '../../src/activity/activity-model.ts';
import {
  defaultListChoice,
  listSessions,
  sessionColumns,
} from '../../src/activity/session-list.ts';
import { firstLayout, type ColumnLayout } from '../../src/webview/column-layout.ts';
import { nextShop, shop, shopActivity } from '../support/a-server.ts';
import { aSession } from '../support/a-session.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import { openWebview, type Shown, type WebviewPage } from '../support/webview-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function openShop(): Promise<WebviewPage> {
  const view = await openWebview(browser, 'panel');
  await view.show(shopActivity());
  return view;
}

const rows = (page: Page): Locator => page.locator('poolguard-grid [role=row][data-pid]');
const pids = (page: Page): Promise<number[]> =>
  rows(page).evaluateAll((all: readonly Shown[]) =>
    all.map((row) => Number(row.getAttribute('data-pid'))),
  );
/** Where the keyboard is: "row:column title" by session and column, or the text of what else has the focus. */
const focus = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.dataset?.row === undefined ? (focused?.getAttribute('aria-label') ?? focused?.textContent ?? '').trim() : focused.dataset.row.replace(/@.*/, '') + ':' + focused.dataset.index;
})()`);

test('says who holds connections: concerns, pools against their declaration, the blocking tree, every session', async () => {
  await using view = await openShop();
  const { page } = view;
  expect(await page.locator('[data-concern]').allInnerTexts()).toEqual([
    expect.stringContaining('Session 101 has been idle in transaction for'),
    expect.stringContaining('2 sessions (102, 103) have been blocked by a lock'),
  ]);
  expect(await page.locator('poolguard-pools tbody tr').first().innerText()).toContain(
    '3 (max 2 in code: 2 processes or more)',
  );
  expect(
    (await page.locator('[role=treeitem]').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    ),
  ).toEqual([
    expect.stringMatching(/101 ?api.*idle in transaction 4 min 10 s.*blocks 2/),
    expect.stringMatching(/102 ?api.*waiting.*blocks 1/),
    expect.stringMatching(/103 ?billing/),
    expect.stringMatching(/103 ?billing/),
  ]);
  expect(await pids(page)).toEqual([101, 102, 103, 130, 104, 110, 111, 112, 113, 120]);
  expect(await page.locator('poolguard-grid .place').allInnerTexts()).toEqual(['src/users.ts:42']);
  expect(await page.getByText('may not see 1 session of other roles').count()).toBe(1);
  expect(view.complaints).toEqual([]);
});

test('sorts by its headers, filters by plain text, hides what is idle, and keeps all that over a reload', async () => {
  await using view = await openShop();
  const { page } = view;
  await page.locator('[data-column=pid]').click();
  expect((await pids(page))[0]).toBe(101);
  await page.locator('[data-column=pid]').click();
  expect((await pids(page))[0]).toBe(130);
  expect(await page.locator('[data-column=pid]').getAttribute('aria-sort')).toBe('descending');
  await page.locator('.hide-idle').check();
  expect(await pids(page)).toEqual([130, 120, 103, 102, 101]);
  await page.locator('input[type=search]').fill('USERS');
  expect(await pids(page)).toEqual([103, 102, 101]);
  expect(await page.locator('poolguard-list-bar .count').innerText()).toBe('3 of 10 sessions');
  expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe('4');
  await page.reload();
  await view.show(shopActivity());
  expect(await pids(page)).toEqual([103, 102, 101]);
  expect(await page.locator('input[type=search]').inputValue()).toBe('USERS');
  expect(await page.evaluate<string>('sessionStorage.getItem("state")')).not.toMatch(/ada|101/);
});

test('a pool filters the list by its application, and back', async () => {
  await using view = await openShop();
  const pool = view.page.locator('poolguard-pools').getByText('checkout-worker');
  await pool.click();
  expect(await pids(view.page)).toEqual([110, 111, 112, 113]);
  await pool.click();
  expect(await pids(view.page)).toHaveLength(10);
});

test('asks the host for an export with the list as it is shown', async () => {
  await using view = await openShop();
  await view.asked();
  await view.page.locator('.hide-idle').check();
  await view.page.locator('[data-export=file]').click();
  expect(await view.asked()).toEqual([
    {
      kind: 'export',
      to: 'file',
      list: {
        order: { column: 'transaction-age', isDescending: true },
        filter: '',
        hidesIdle: true,
      },
    },
  ]);
});

test('by keyboard alone: from the filter to a statement, and back', async () => {
  await using view = await openShop();
  const { page } = view;
  await page.locator('input[type=search]').focus();
  await page.keyboard.type('users');
  await page.keyboard.press('Escape');
  expect(await page.locator('input[type=search]').inputValue()).toBe('');
  for (let presses = 0; presses < 6 && !(await focus(page)).includes(':'); presses += 1)
    await page.keyboard.press('Tab');
  expect(await focus(page)).toBe('header:0');
  await page.keyboard.press('End');
  expect(await focus(page)).toBe('header:10');
  await page.keyboard.press('ArrowDown');
  expect(await focus(page)).toBe('101:10');
  await page.keyboard.press('Enter');
  await page.locator('poolguard-grid poolguard-session-details pre').waitFor();
  expect(await page.locator('poolguard-grid pre').innerText()).toContain(
    "\nWHERE email = 'ada@example.org'",
  );
  await page.keyboard.press('Tab');
  expect(await focus(page)).toBe('src/users.ts:42');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focus(page)).toMatch(/Copy statement/);
  await view.asked();
  await page.keyboard.press('Enter');
  expect(await view.asked()).toEqual([
    { kind: 'session', action: 'copy', key: `101@${aSession().backendStart}` },
  ]);
});

test('the focus stays with its session when a look moves the rows, and goes to the header when it is gone', async () => {
  await using view = await openShop();
  const { page } = view;
  await page.locator('[data-column=state-age]').click();
  await page.locator('[data-pid="104"] [data-index="3"]').focus();
  const moved = nextShop(
    shopActivity(),
    shop.map((session) => (session.pid === 104 ? { ...session, stateAgeMs: 9_999_999 } : session)),
  );
  await view.look(moved);
  expect((await pids(page))[0]).toBe(104);
  expect(await focus(page)).toBe('104:3');
  await view.look(
    nextShop(
      moved,
      shop.filter(({ pid }) => pid !== 104),
    ),
  );
  expect(await focus(page)).toBe('header:3');
});

test('a thousand sessions are a few rows in the page, all of which the keyboard reaches', async () => {
  await using view = await openWebview(browser, 'panel');
  const { page } = view;
  await view.show(generateActivity(1_000, 3));
  expect(await rows(page).count()).toBeLessThan(80);
  expect(await page.locator('[role=grid]').getAttribute('aria-rowcount')).toBe('1001');
  await page.locator('[data-column=pid]').click();
  await page.locator('[data-column=pid]').focus();
  for (let presses = 0; presses < 12; presses += 1) await page.keyboard.press('PageDown');
  expect(await focus(page)).toBe('10119:0');
  expect(await page.locator('[data-pid="10119"]').isVisible()).toBe(true);
  expect(await page.locator('[data-pid="10119"]').getAttribute('aria-rowindex')).toBe('121');
});

test('a long list opens at its top and stays where it was scrolled to while looks come', async () => {
  await using view = await openWebview(browser, 'panel');
  const { page } = view;
  const scroller = page.locator('poolguard-grid .scroller');
  const top = () => scroller.evaluate((element: { scrollTop: number }) => element.scrollTop);
  const activity = generateActivity(1_000, 3);
  await view.show(activity);
  expect(await top()).toBe(0);
  expect((await pids(page))[0]).toBe(10_991);
  await scroller.evaluate((element: { scrollTop: number }) => {
    element.scrollTop = 5_000;
  });
  const next = nextActivity(activity, generateLook(1_000, 3));
  await view.look(next);
  expect(await top()).toBe(5_000);
  const inSight = page.locator('[role=row][aria-rowindex="202"]');
  expect(await inSight.getAttribute('data-pid')).toBe(
    String(listSessions(next.report?.sessions ?? [], defaultListChoice)[200]?.pid),
  );
});

test('an unfolded row pushes the others down, and takes its details along when a look moves it', async () => {
  await using view = await openShop();
  const { page } = view;
  const boxOf = async (pid: number) =>
    (await page.locator(`.item:has([data-pid="${pid}"])`).boundingBox()) ?? { y: 0, height: 0 };
  await page.locator('[data-pid="102"]').click();
  const [open, below] = [await boxOf(102), await boxOf(103)];
  expect(open.height).toBeGreaterThan(100);
  expect(Math.abs(below.y - open.y - open.height)).toBeLessThan(1);
  await page.locator('[data-column=pid]').click();
  await page.locator('[data-column=pid]').click();
  expect(await pids(page)).toEqual([130, 120, 113, 112, 111, 110, 104, 103, 102, 101]);
  expect((await boxOf(102)).height).toBe(open.height);
  expect(await page.locator('poolguard-grid poolguard-session-details').count()).toBe(1);
  expect(await page.locator('[data-pid="102"] [aria-expanded=true]').count()).toBe(1);
});

test('the blocking tree is worked by arrows', async () => {
  await using view = await openShop();
  const { page } = view;
  const here = async (): Promise<string> =>
    await page.evaluate<string>(
      `document.querySelector('poolguard-sessions-panel').shadowRoot.querySelector('poolguard-blocking').shadowRoot.activeElement?.dataset.branch ?? ''`,
    );
  await page.locator('[role=treeitem]').first().focus();
  const walk: string[] = [];
  for (const key of [
    'ArrowDown',
    'ArrowDown',
    'ArrowLeft',
    'ArrowLeft',
    'ArrowLeft',
    'End',
    'Home',
    'ArrowRight',
  ]) {
    await page.keyboard.press(key);
    walk.push(await here());
  }
  expect(walk).toEqual([
    '101/102',
    '101/102/103',
    '101/102',
    '101/102',
    '101',
    '101/103',
    '101',
    '101/102',
  ]);
  expect(await page.locator('[data-branch="101/102"]').getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('Enter');
  expect(
    await page.locator('[data-branch="101/102"] poolguard-session-details .facts').innerText(),
  ).toContain('waits for Lock: transactionid');
});

test('a look that does not fit what the page has makes it ask for everything', async () => {
  await using view = await openShop();
  await view.asked();
  await view.page.evaluate(
    `document.querySelector('poolguard-sessions-panel').model = { ...document.querySelector('poolguard-sessions-panel').model, activity: { ...document.querySelector('poolguard-sessions-panel').model.activity, report: null } }`,
  );
  await view.look(nextShop(shopActivity(), shop));
  expect(await view.asked()).toEqual([{ kind: 'ready' }]);
});

const header = (page: Page, column: string): Locator =>
  page.locator(`[role=columnheader][data-column="${column}"]`);
const widthOf = async (page: Page, column: string): Promise<number> =>
  Math.round((await header(page, column).boundingBox())?.width ?? 0);
/** The layout that the host was last asked to keep. */
const keptLayout = async (view: WebviewPage): Promise<ColumnLayout | undefined> =>
  (await view.asked()).flatMap((each) => (each.kind === 'columns' ? each.layout : [])).at(-1);

test('an edge goes where the pointer drags it, and the layout that the host kept comes back', async () => {
  await using view = await openShop();
  const { page } = view;
  await view.asked();
  const edge = header(page, 'wait').locator('.edge');
  const from = await edge.boundingBox();
  const at = { x: (from?.x ?? 0) + 3, y: (from?.y ?? 0) + 5 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y);
  await page.mouse.move(at.x + 60, at.y);
  expect(await view.asked()).toEqual([]);
  expect(Math.round((await edge.boundingBox())?.x ?? 0)).toBe(Math.round((from?.x ?? 0) + 60));
  await page.mouse.up();
  const columns = (await keptLayout(view)) ?? firstLayout;
  const width = await widthOf(page, 'wait');
  expect(columns.widths).toMatchObject({ wait: width });
  expect(await header(page, 'wait').getAttribute('aria-sort')).toBe(null);
  await page.reload();
  await view.show(shopActivity(), { columns });
  expect(await widthOf(page, 'wait')).toBe(width);
  expect(
    (await page.locator('[data-pid="101"] [data-index="6"]').boundingBox())?.width.toFixed(0),
  ).toBe(String(width));
  await edge.dblclick();
  expect((await keptLayout(view))?.widths).not.toHaveProperty('wait');
});

test('Alt with an arrow widens and narrows the column of the focused header', async () => {
  await using view = await openShop();
  const { page } = view;
  await header(page, 'state').focus();
  const before = await widthOf(page, 'state');
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  expect(await widthOf(page, 'state')).toBe(before + 32);
  await page.keyboard.press('Alt+ArrowLeft');
  expect((await keptLayout(view))?.widths).toEqual({ pid: 60, state: before + 16 });
  expect(await focus(page)).toBe('header:1');
});

test('columns are hidden and shown from a button and from the menu of a header, by keyboard too, and all come back at once', async () => {
  await using view = await openShop();
  const { page } = view;
  const titles = () => page.locator('[role=columnheader]').allInnerTexts();
  const all = await titles();
  await page.getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  expect(await titles()).toEqual(all.filter((title) => title !== 'state'));
  expect(await page.locator('[role=grid]').getAttribute('aria-colcount')).toBe('10');
  expect(await keptLayout(view)).toEqual({ widths: {}, hidden: ['state'] });
  await page.keyboard.press('Escape');
  await expect.poll(() => focus(page)).toBe('Columns');
  await header(page, 'query').click({ button: 'right' });
  await page.getByRole('checkbox', { name: 'query', exact: true }).uncheck();
  expect(await titles()).toEqual(all.filter((title) => title !== 'state' && title !== 'query'));
  await page.getByRole('button', { name: 'Reset columns' }).click();
  expect(await titles()).toEqual(all);
  for (const title of all.slice(1))
    await page.getByRole('checkbox', { name: title, exact: true }).uncheck();
  expect(await page.getByRole('checkbox', { name: 'pid' }).isDisabled()).toBe(true);
  expect(await titles()).toEqual(['pid']);
  expect(view.complaints).toEqual([]);
});

test('copies the focused cell as it is, and selected rows as they are shown, without literals unless they are wanted', async () => {
  await using view = await openShop();
  const { page } = view;
  const [leak, waits, billing] = [101, 102, 103].map((pid) => `${pid}@${aSession().backendStart}`);
  await page.locator('[data-pid="101"] [data-index="10"]').focus();
  await view.asked();
  await page.keyboard.press('ControlOrMeta+c');
  expect(await view.asked()).toEqual([
    { kind: 'copy', keys: [leak], columns: ['query'], statements: 'whole' },
  ]);
  await page.keyboard.press('Shift+ArrowDown');
  expect(await focus(page)).toBe('102:10');
  await page.locator('[data-pid="103"]').click({ modifiers: ['ControlOrMeta'] });
  expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(3);
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('ControlOrMeta+Shift+c');
  expect(await view.asked()).toEqual([
    { kind: 'copy', keys: [leak, waits, billing], columns: sessionColumns, statements: 'redacted' },
    { kind: 'copy', keys: [leak, waits, billing], columns: sessionColumns, statements: 'whole' },
  ]);
  await page.locator('[data-pid="110"]').click({ modifiers: ['Shift'] });
  expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(4);
  await page.keyboard.press('Escape');
  expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(0);
  await page.keyboard.press('ControlOrMeta+a');
  expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(10);
  await page.keyboard.press('Shift+Space');
  expect(await page.locator('[role=row][aria-selected=true]').count()).toBe(9);
});
