import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyActivity } from '../../src/activity/activity-model.ts';
import type { Session } from '../../src/activity/snapshot.ts';
import { nextShop, shop, shopActivity } from '../support/a-server.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import { openWebview, type Shown, type WebviewPage } from '../support/webview-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function openShop(): Promise<WebviewPage> {
  const view = await openWebview(browser, 'pools');
  await view.show(shopActivity());
  return view;
}

const heads = (page: Page): Promise<string[]> =>
  page
    .locator('poolguard-sessions .head')
    .evaluateAll((all: readonly Shown[]) =>
      all.map(
        (head) =>
          `${head.getAttribute('aria-expanded') === 'true' ? 'open' : 'closed'} ${head.textContent.replaceAll(/\s+/g, ' ').trim()}`,
      ),
    );

test('pools that do something are open, those that only idle say all in their head', async () => {
  await using view = await openShop();
  expect(await heads(view.page)).toEqual([
    expect.stringMatching(
      /^open .*api .*3 \(max 2 in code: 2 processes or more\) · peak 3 · idle in txn 4 min/,
    ),
    expect.stringMatching(/^closed .*checkout-worker .*4 · peak 4/),
    expect.stringMatching(/^open .*backup/),
    expect.stringMatching(/^open .*billing/),
    expect.stringMatching(/^closed .*Poolguard’s own/),
  ]);
  expect(view.complaints).toEqual([]);
});

test('the count above the pools is that of the rows below it, and curves say their range and their time', async () => {
  await using view = await openShop();
  const { page } = view;
  expect(await page.getByRole('heading').allInnerTexts()).toEqual(['4 pools and Poolguard’s own']);
  expect((await heads(page)).length).toBe(5);
  expect(await page.locator('.used').innerText()).toMatch(/^\d+ of \d+ connections used$/);
  const curve = page.locator('poolguard-headroom .sparkline');
  expect(await curve.locator('.range').innerText()).toMatch(/^\d+, last 4 s$/);
  expect(await page.getByRole('img').first().getAttribute('aria-label')).toMatch(
    /^Connections used in the last 4 s: \d+ to \d+$/,
  );
});

test('an age of a query is that of one that runs', async () => {
  await using view = await openShop();
  const cells = view.page.locator('[data-session^="101@"] td');
  const [, transaction, query, state] = await cells.allInnerTexts();
  expect([transaction, query, state]).toEqual(['4 m', '–', '4 m']);
});

test('what a list leaves out is in the table, one click away', async () => {
  await using view = await openWebview(browser, 'pools');
  const many = Array.from({ length: 14 }, (_, pid) => ({ ...shop[0], pid: 500 + pid }) as Session);
  await view.show(shopActivity(3, many));
  await view.asked();
  await view.page.getByRole('button', { name: 'table' }).click();
  expect(await view.asked()).toEqual([{ kind: 'open', section: 'sessions' }]);
});

test('a message that is none of ours is dropped with a line in the console, and the page goes on', async () => {
  await using view = await openShop();
  const before = await heads(view.page);
  await view.send({ kind: 'activity', activity: { ...emptyActivity, concerns: 3 } } as never);
  expect(view.complaints).toEqual([
    'Poolguard dropped a message to this page: activity.concerns is not a list. Reload the window.',
  ]);
  expect(await heads(view.page)).toEqual(before);
});

test('a fold outlives the page, and a refresh leaves the focus where it is', async () => {
  await using view = await openShop();
  const { page } = view;
  await page.locator('[data-pool=checkout-worker] .head').press('Enter');
  expect((await heads(page))[1]).toMatch(/^open/);
  await view.look(
    nextShop(
      shopActivity(),
      shop.map((session) =>
        session.pid === 111
          ? {
              ...session,
              state: 'idle in transaction' as const,
              transactionAgeMs: 999_000,
              stateAgeMs: 999_000,
            }
          : session,
      ),
    ),
  );
  expect(
    await page.evaluate(
      `document.querySelector('poolguard-pools-view').shadowRoot.querySelector('poolguard-sessions').shadowRoot.activeElement?.closest('.pool').dataset.pool`,
    ),
  ).toBe('checkout-worker');
  expect((await heads(page))[0]).toContain('checkout-worker');
  await page.reload();
  await view.show(shopActivity());
  expect((await heads(page))[1]).toMatch(/^open .*checkout-worker/);
});

test('ages of many minutes stand apart in a narrow sidebar', async () => {
  await using view = await openWebview(browser, 'pools');
  const { page } = view;
  await page.setViewportSize({ width: 300, height: 800 });
  const old = { transactionAgeMs: 754_000, queryAgeMs: 754_000, stateAgeMs: 754_000 };
  await view.show(
    shopActivity(
      3,
      shop.map((session) => (session.pid === 101 ? { ...session, ...old } : session)),
    ),
  );
  const ages = page.locator('[data-session^="101@"] td:not(:first-child)');
  expect(await ages.allInnerTexts()).toEqual(['12 m', '–', '12 m']);
  const left = await ages.evaluateAll(
    (
      cells: readonly {
        readonly scrollWidth: number;
        readonly clientWidth: number;
        readonly ownerDocument: {
          createRange(): {
            selectNodeContents(node: unknown): void;
            getBoundingClientRect(): { readonly width: number };
          };
        };
      }[],
    ) =>
      cells.map((cell) => {
        const range = cell.ownerDocument.createRange();
        range.selectNodeContents(cell);
        return cell.clientWidth - range.getBoundingClientRect().width;
      }),
  );
  expect(Math.min(...left)).toBeGreaterThan(3);
});

test('a session unfolds to its place in the code, its statement, and what can be done with it', async () => {
  await using view = await openShop();
  const { page } = view;
  await page.locator('[data-session^="101@"] .session').click();
  const details = page.locator('poolguard-sessions poolguard-session-details');
  expect((await details.locator('.where').innerText()).replaceAll(/\s+/g, ' ')).toBe(
    'src/users.ts:42 · exact · flagged no-unreleased-client',
  );
  await view.asked();
  await details.locator('[data-action=copy-row]').click();
  expect(await view.asked()).toMatchObject([{ kind: 'session', action: 'copy-row' }]);
});

test('nothing is offered against our own session, nor against one that is hidden', async () => {
  await using view = await openShop();
  const { page } = view;
  await page.locator('[data-pool="Poolguard’s own"] .head').click();
  for (const pid of ['130@', '120@']) {
    await page.locator(`[data-session^="${pid}"] .session`).click();
    const offered = await page
      .locator(`[data-session^="${pid}"] + tr [data-action]`)
      .evaluateAll((all: readonly Shown[]) =>
        all.map((button) => button.getAttribute('data-action')),
      );
    expect(offered.filter((action) => action !== 'copy' && action !== 'copy-row')).toEqual([]);
  }
});

test('a screen reader hears of a threshold when it is passed and when all is well again, and of no tick in between', async () => {
  await using view = await openWebview(browser, 'pools');
  const { page } = view;
  const calm = shop.filter(({ pid }) => pid >= 104);
  await view.show(shopActivity(3, calm));
  const news = (): Promise<string> => page.locator('.news').innerText();
  expect(await news()).toBe('');
  const loud = nextShop(shopActivity(3, calm), shop);
  await view.look(loud);
  expect(await news()).toMatch(
    /^Warning: Session 101 has been idle in transaction.* Warning: 2 sessions \(102, 103\) have been blocked/,
  );
  await page.evaluate(
    `window.changes = 0; new MutationObserver(() => (window.changes += 1)).observe(document.querySelector('poolguard-pools-view').shadowRoot.querySelector('.news'), { childList: true, characterData: true, subtree: true })`,
  );
  const louder = nextShop(
    loud,
    shop.map((session) => ({
      ...session,
      stateAgeMs: session.stateAgeMs === null ? null : session.stateAgeMs + 5_000,
    })),
  );
  await view.look(louder);
  expect(await page.evaluate('window.changes')).toBe(0);
  await view.look(nextShop(louder, calm));
  expect(await news()).toBe(
    'No session is idle in transaction for too long any more. No session is blocked for too long any more.',
  );
  expect(await page.locator('[aria-live], [role=status], [role=alert]').count()).toBe(2);
});

test('a lost connection is said, its old figures lose their colours, and how old they are is told', async () => {
  await using view = await openShop();
  const { page } = view;
  await view.send({
    kind: 'connection',
    connection: {
      kind: 'lost',
      label: 'shop@localhost:5432/shop',
      sentence: 'The server closed the connection.',
      retryInMs: 4_000,
    },
    intervalSeconds: 1,
  });
  expect(await page.locator('[role=alert]').innerText()).toBe('The server closed the connection.');
  expect(
    await page.evaluate(
      `getComputedStyle(document.querySelector('poolguard-pools-view').shadowRoot.querySelector('.stale')).filter`,
    ),
  ).toBe('grayscale(1)');
  expect(await page.locator('.fresh').innerText()).toMatch(/ ago$/);
  await view.asked();
  await page.getByText('Try now').click();
  expect(await view.asked()).toEqual([{ kind: 'reconnect' }]);
});

test('before the first look it says that it looks; without a connection it offers one', async () => {
  await using view = await openWebview(browser, 'pools');
  await view.show(emptyActivity, { connection: { kind: 'connecting', label: 'shop' } });
  expect(await view.page.getByText('Loading sessions').count()).toBe(1);
  await view.show(emptyActivity, { connection: { kind: 'none', saved: 0 } });
  await view.asked();
  await view.page.locator('poolguard-button.connect').click();
  expect(await view.asked()).toEqual([{ kind: 'connect' }]);
});

test("the interval and the pause are the host's to set", async () => {
  await using view = await openShop();
  await view.asked();
  await view.page.locator('select').selectOption('5');
  await view.page.locator('poolguard-button.pause').click();
  expect(await view.asked()).toEqual([{ kind: 'interval', seconds: 5 }, { kind: 'pause' }]);
});

test('a superuser is told so in one line, which unfolds to the role that is enough', async () => {
  const activity = shopActivity();
  if (activity.report === null) throw new Error('The shop has been looked at.');
  await using view = await openWebview(browser, 'pools');
  await view.show(activity);
  expect(await view.page.locator('details.superuser').count()).toBe(0);
  await view.show({
    ...activity,
    report: {
      ...activity.report,
      server: { ...activity.report.server, user: 'postgres', isSuperuser: true },
    },
  });
  const notice = view.page.locator('details.superuser');
  expect(await notice.innerText()).toBe('Connected as a superuser');
  await notice.locator('summary').press('Enter');
  expect(await notice.innerText()).toContain(
    'the superuser postgres; pg_monitor is enough to see every session: CREATE ROLE poolguard',
  );
  expect(view.complaints).toEqual([]);
});
