import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  emptyActivity,
  nextActivity,
  type ActivityModel,
} from '../../src/activity/activity-model.ts';
import { toPlainLines } from '../../src/activity/plain-text.ts';
import { emptyPooler, nextPooler } from '../../src/pooler/pooler-model.ts';
import type { PoolerSocket } from '../../src/pooler/pooler-report.ts';
import type { SizeResult } from '../../src/probe/result.ts';
import { longestStatement } from '../../src/webview/lean-activity.ts';
import type { PoolerState } from '../../src/webview/to-pooler-page.ts';
import { aPooler } from '../support/a-pooler.ts';
import { aReport, aSession } from '../support/a-session.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import { hostileText, hostileTexts, rawHiddenFromPeople } from '../support/hostile-text.ts';
import { foundTwo } from '../support/probe-result.ts';
import { openWebview, type Shown, type WebviewPage } from '../support/webview-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** Every text of a session, of its waits and of its place is hostile; the second waits for the first. */
function activityOf(texts: readonly string[]): ActivityModel {
  const sessions = texts.map((text, index) =>
    aSession({
      pid: index + 1,
      application: text,
      user: text,
      database: text,
      clientAddress: text,
      query: text,
      state: index === 0 ? 'idle in transaction' : 'active',
      stateAgeMs: 90_000,
      transactionAgeMs: 90_000,
      ...(index > 0 && { isWaiting: true, waitEventType: text, waitEvent: text, blockedBy: [1] }),
    }),
  );
  const report = aReport(sessions);
  const hostile = {
    ...report,
    server: { ...report.server, user: texts[0] ?? '', version: texts[0] ?? '' },
  };
  return nextActivity(emptyActivity, hostile, {
    code: {
      pools: [],
      placeOf: () => ({ label: texts[0] ?? '', match: 'exact', others: 0, rule: texts[0] ?? '' }),
    },
  });
}

/** What of a page is neither text nor one of the elements that it is made of; marks in texts and attributes that nobody sees. */
const strange = `(() => {
  const known = new Set(['html', 'head', 'meta', 'link', 'title', 'body', 'main', 'script', 'div', 'span', 'section', 'header', 'h1', 'h2', 'h3', 'p', 'dl', 'dt', 'dd', 'br', 'canvas', 'b', 'bdi', 'i', 'small', 'strong', 'ul', 'li', 'table', 'caption', 'thead', 'tbody', 'tr', 'th', 'td', 'time', 'pre', 'code', 'button', 'label', 'input', 'select', 'option', 'svg', 'path', 'polygon', 'polyline', 'slot', 'style', 'figure', 'figcaption', 'details', 'summary']);
  const all = (root) => [...root.querySelectorAll('*')].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
  const elements = all(document);
  const marks = ${String(rawHiddenFromPeople)};
  return [
    ...elements.filter(({ localName }) => !known.has(localName) && !localName.startsWith('poolguard-') && !localName.startsWith('vscode-')).map(({ localName }) => 'element ' + localName),
    ...elements.filter(({ localName }) => localName === 'script').slice(1).map(() => 'a second script'),
    ...elements.flatMap((element) => [...element.attributes]).filter(({ name }) => name.startsWith('on')).map(({ name }) => 'attribute ' + name),
    ...elements.flatMap((element) => [...element.attributes]).filter(({ name, value }) => ['title', 'aria-label'].includes(name) && marks.test(value)).map(({ name }) => 'a mark in ' + name),
    ...elements.flatMap((element) => [...element.childNodes]).filter((node) => node.nodeType === 3 && marks.test(node.data)).map((node) => 'a mark in the text of ' + node.parentElement?.localName),
    ...(document.title.length > 20 ? ['the title ' + document.title] : []),
  ];
})()`;

async function expectHarmless(view: WebviewPage, texts: readonly string[]): Promise<void> {
  await view.show(activityOf(texts), {
    connection: { kind: 'lost', label: texts[0] ?? '', sentence: texts[0] ?? '', retryInMs: 9_000 },
    probe: { kind: 'failed', sentence: texts[0] ?? '' },
  });
  expect(await view.page.evaluate(strange)).toEqual([]);
  expect(view.complaints).toEqual([]);
}

/** A result in which every text is hostile. */
function hostileResult(text: string): SizeResult {
  const limit = { kind: 'role', name: text, value: 1, perPool: 1, arithmetic: text } as const;
  const recommendation = {
    max: 2,
    interval: [2, 3],
    confidence: 0.9,
    limitedBy: text,
    defaultPoolSize: 1,
    connectionTimeoutMs: 1,
  } as const;
  const result: SizeResult = {
    ...foundTwo,
    recommendation,
    partial: text,
    notes: [text],
    errors: { [text]: 1 },
    verdict: { kind: 'found', because: text },
    cap: { size: 1, because: text },
    server: { ...foundTwo.server, host: text, database: text, version: text },
    workload: {
      ...foundTwo.workload,
      origin: 'given',
      statements: [{ text, share: 1, parameters: [text], meanMs: 1 }],
    },
    limits: { pools: 1, limits: [limit], binding: limit },
    statementLoads: {
      alone: 1,
      from: 1,
      statements: [{ aloneMs: 1, meanMs: 1, timeShare: 1, queueShare: 1 }],
      binding: { at: 0, because: text },
    },
    memory: { bytes: 1, method: text, workMemBytes: 1 },
    advice: {
      guesses: [{ name: text, arithmetic: text, size: [1, 1], source: text }],
      observed: null,
    },
  };
  return result;
}

test.each(['pools', 'blocking', 'panel'] as const)(
  'whatever a database says is text in the %s',
  async (which) => {
    await using view = await openWebview(browser, which);
    await expectHarmless(view, hostileTexts);
    if (which !== 'pools')
      await view.page.locator('[data-branch="1"]').click({ position: { x: 40, y: 8 } });
    const grid = view.page.locator('poolguard-grid [role=row][data-pid]');
    if (which === 'panel')
      for (let index = 0; index < 8; index += 1)
        await grid.nth(index).locator('[data-index="0"]').click();
    expect(await view.page.evaluate(strange)).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 1, maxLength: 5 }), (texts) =>
        expectHarmless(view, texts),
      ),
      { numRuns: 25 },
    );
  },
);

test.each(['size', 'panel'] as const)(
  'whatever a result of a probe says, and the history of its statement, is text in the %s',
  async (which) => {
    await using view = await openWebview(browser, which);
    await view.show(activityOf([]));
    const text = hostileTexts.join(' ');
    await view.send({ kind: 'probe', probe: { kind: 'result', result: hostileResult(text) } });
    const run = { at: 1, max: 1, interval: [1, 1], server: text } as const;
    await view.send({ kind: 'history', history: { statement: text, runs: [run] } });
    expect(await view.page.evaluate(strange)).toEqual([]);
    expect(view.complaints).toEqual([]);
  },
);

/** A pooler whose every text is hostile, in every state that has words. */
function hostilePoolers(text: string): readonly PoolerState[] {
  const report = aPooler([
    { database: text, user: text, pool_mode: text, cl_waiting: 12, sv_active: 2, maxwait: 30 },
    { database: 'shop', user: 'app' },
  ]);
  const socket: PoolerSocket = {
    id: text,
    link: null,
    requestedAt: null,
    state: text,
    database: text,
    user: text,
    application: text,
    address: text,
    port: 1,
    connectedAt: text,
    waitMs: 1,
    pid: 1,
  };
  const model = nextPooler(emptyPooler, {
    ...report,
    pooler: { ...report.pooler, product: text, version: text, host: text, user: text },
    clients: [socket],
    servers: [socket],
  });
  return [
    { kind: 'live', model },
    { kind: 'lost', model, sentence: text, retryInMs: 9_000 },
    { kind: 'closed', sentence: text, isForRole: true },
    { kind: 'unknown' },
  ];
}

test('whatever a console of a pooler says is text on its page, and in the sidebar', async () => {
  await using view = await openWebview(browser, 'pooler');
  await using sidebar = await openWebview(browser, 'pools');
  const text = hostileTexts.join(' ');
  for (const pooler of hostilePoolers(text)) {
    await view.send({ kind: 'pooler', model: { connection: text, pooler } });
    await sidebar.show(activityOf([]), { pooler });
    expect([await view.page.evaluate(strange), await sidebar.page.evaluate(strange)]).toEqual([
      [],
      [],
    ]);
  }
  expect([view.complaints, sidebar.complaints]).toEqual([[], []]);
});

test.each(['pools', 'panel'] as const)(
  'two pools whose names differ by a character without width look different in the %s',
  async (which) => {
    await using view = await openWebview(browser, which);
    await view.show(
      nextActivity(
        emptyActivity,
        aReport([
          aSession({ pid: 1, application: 'api' }),
          aSession({ pid: 2, application: 'ap\u200Bi' }),
        ]),
      ),
    );
    for (const name of ['api', 'ap\\u200bi'])
      expect(await view.page.getByText(name, { exact: true }).count()).toBeGreaterThan(0);
  },
);

test('a statement of a megabyte comes cut, once, and says so', async () => {
  await using view = await openWebview(browser, 'panel');
  const query = `SELECT '${'x'.repeat(1_000_000)}'`;
  await view.show(nextActivity(emptyActivity, aReport([aSession({ pid: 7, query })])));
  await view.page.locator('[data-pid="7"]').click();
  const shown = await view.page.locator('poolguard-grid pre').innerText();
  expect(shown.length).toBeLessThan(longestStatement + 200);
  expect(shown).toMatch(
    /… cut: 990,009 more characters\. Copying the statement gives all of it\.$/,
  );
  expect((await view.page.locator('[data-pid="7"]').innerText()).length).toBeLessThan(1_000);
});

test('an unfolded statement keeps its lines', async () => {
  await using view = await openWebview(browser, 'panel');
  const query = 'SELECT 1,\r\n\t2\u202E\n\nFROM t';
  await view.show(nextActivity(emptyActivity, aReport([aSession({ pid: 7, query })])));
  await view.page.locator('[data-pid="7"]').click();
  expect(
    await view.page.locator('poolguard-grid pre').evaluate((pre: Shown) => pre.textContent),
  ).toBe(toPlainLines(query));
});
