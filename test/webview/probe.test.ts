import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shareProcesses } from '../../src/probe/limits/share-processes.ts';
import type { SizeResult } from '../../src/probe/result.ts';
import type { FromView } from '../../src/webview/from-view.ts';
import type { ProbeState } from '../../src/webview/to-view.ts';
import { shopActivity } from '../support/a-server.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import { aHistory, aLoad, foundTwo } from '../support/probe-result.ts';
import { openWebview, type WebviewPage } from '../support/webview-page.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

const slices = [1, 2, 4].flatMap((size) =>
  [0.96, 1, 1.03].map((share, round) => ({
    round,
    size,
    throughput: share * (size === 1 ? 500 : 990),
    load: { cores: 1, eventLoop: 0.2, ownCores: 0.2, idleCores: 1, foreignCores: 0 },
  })),
);
const limit = {
  kind: 'max_connections',
  name: 'max_connections',
  value: 100,
  perPool: 3,
  arithmetic: '(100 − 3 reserved − 10 for administration) / 29 pools = 3',
} as const;

/** With all that a result can have. */
const whole: SizeResult = {
  ...foundTwo,
  partial: 'The server was about to run out of connections after 5 rounds.',
  recommendation: {
    max: 2,
    interval: [2, 3],
    confidence: 0.93,
    limitedBy: 'the measured throughput: 90 % of its peak takes 2 connections',
    defaultPoolSize: 4,
    connectionTimeoutMs: 3_000,
  },
  slices,
  limits: { pools: 1, limits: [limit], binding: null },
  processes: shareProcesses({
    kind: 'found',
    pick: 6,
    asked: 4,
    granted: {
      maxConnections: 20,
      reserved: 3,
      roleLimit: null,
      databaseLimit: null,
      othersNow: 3,
    },
  }),
  workload: {
    ...foundTwo.workload,
    statements: ['SELECT 1', 'SELECT 2'].map((text) => ({
      text,
      share: 0.5,
      parameters: [],
      meanMs: 2,
    })),
  },
  statementLoads: {
    alone: 1,
    from: 2,
    statements: [
      { aloneMs: 2, meanMs: 8, timeShare: 0.8, queueShare: 0.92 },
      { aloneMs: 1, meanMs: null, timeShare: 0.2, queueShare: 0.08 },
    ],
    binding: { at: 0, because: 'SELECT 1 limits the pool size: it queues.' },
  },
  memory: { bytes: 9_437_184, method: 'memory contexts', workMemBytes: 4_194_304 },
  validation: {
    max: 2,
    closed: { callers: 8, load: aLoad },
    open: {
      rate: 665,
      load: {
        ...aLoad,
        latency: { count: 900, averageMs: 3.1, p50Ms: 2.4, p95Ms: 8.8, p99Ms: null, maxMs: 12 },
        wait: { count: 900, averageMs: 1, p50Ms: 0.1, p95Ms: 6, p99Ms: null, maxMs: 9 },
        errors: { '57014': 2 },
      },
    },
  },
  advice: {
    guesses: [
      { name: 'HikariCP', arithmetic: '2 × 2 cores + 1 disk', size: [5, 5], source: 'wiki' },
    ],
    observed: { busyShare: 0.31, meanActive: 1.4, since: null },
  },
  errors: { '40001': 3 },
};

async function open(which: 'size' | 'panel', probe: ProbeState): Promise<WebviewPage> {
  const view = await openWebview(browser, which);
  await view.show(shopActivity(), { probe });
  await view.asked();
  return view;
}

const ask = async (view: WebviewPage, name: string): Promise<readonly FromView[]> => {
  await view.page.locator(`poolguard-button.${name}`).click();
  return view.asked();
};
const texts = async (page: Page, selector: string): Promise<string[]> =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

test.each(['size', 'panel'] as const)(
  'the page %s says that nothing runs while a dialog asks, and has a row for each probe before',
  async (which) => {
    await using view = await open(which, { kind: 'planned' });
    const { page } = view;
    expect(await page.locator('poolguard-probe [role=status]').innerText()).toBe(
      'Nothing has been run yet: a dialog shows the plan and asks.',
    );
    await view.send({ kind: 'history', history: aHistory });
    expect(await page.locator('poolguard-probe-history').count()).toBe(0);
    await view.send({ kind: 'probe', probe: { kind: 'idle' } });
    const table = page.getByRole('table', {
      name: 'Probes of select * from orders where customer_id = $1',
    });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'when',
      'max',
      'plausible',
      'version',
    ]);
    expect(await texts(page, 'poolguard-probe-history tbody tr')).toEqual([
      expect.stringMatching(/^2026-01-0\d \d\d:\d\d 4 3–5 18\.4$/u),
      expect.stringMatching(/^2026-01-0\d \d\d:\d\d 6 6–6 18\.4$/u),
      expect.stringMatching(/^2025-1[12]-\d\d \d\d:\d\d 4 4–8 17\.2$/u),
    ]);
    expect(view.complaints).toEqual([]);
  },
);

test('the earlier probes fit a narrow sidebar', async () => {
  await using view = await open('size', { kind: 'idle' });
  await view.page.setViewportSize({ width: 220, height: 900 });
  await view.send({ kind: 'history', history: aHistory });
  expect(
    await view.page
      .locator('poolguard-probe-history')
      .evaluate(
        (history: { clientWidth: number; scrollWidth: number }) =>
          history.scrollWidth - history.clientWidth,
      ),
  ).toBe(0);
});

test('a cancelled probe says at once that it stops, and offers nothing meanwhile', async () => {
  await using view = await open('size', {
    kind: 'running',
    fraction: 0.4,
    doing: 'Round 2',
    sizes: foundTwo.sizes,
  });
  expect(await ask(view, 'conclude')).toEqual([{ kind: 'conclude-probe' }]);
  expect(await ask(view, 'cancel')).toEqual([{ kind: 'cancel-probe' }]);
  await view.send({ kind: 'probe', probe: { kind: 'cancelling' } });
  expect(await view.page.locator('poolguard-probe [role=status]').innerText()).toBe(
    'Stopping: the probe closes its connections …',
  );
});

test('the sidebar tells the answer in short: what to write, why, what binds, the statement and the curve', async () => {
  await using view = await open('size', { kind: 'result', result: whole });
  const { page } = view;
  expect(await page.locator('.answer .max').innerText()).toBe('max: 2');
  expect(await page.locator('.partial').innerText()).toBe(
    'Partial. The server was about to run out of connections after 5 rounds.',
  );
  expect(await texts(page, 'poolguard-probe .facts')).toEqual([
    expect.stringContaining('Limited by the measured throughput'),
    'Measured with a stand-in, which says little about an application.',
  ]);
  expect(await page.locator('poolguard-curve canvas').count()).toBe(1);
  expect(await page.locator('poolguard-probe-report').count()).toBe(0);
  expect(await ask(view, 'again')).toEqual([{ kind: 'probe-again' }]);
  expect(await ask(view, 'start')).toEqual([{ kind: 'probe' }]);
});

test('the panel shows all of it: curve with slices and limit, latency by its parts, limits, memory, guesses, notes', async () => {
  await using view = await open('panel', { kind: 'result', result: whole });
  const { page } = view;
  expect(await page.locator('poolguard-curve [role=img]').getAttribute('aria-label')).toMatch(
    /levels off at 2, recommended max 2, limit at 3$/,
  );
  expect((await texts(page, 'poolguard-curve figcaption span')).slice(2)).toEqual([
    'single measurements',
    'levels off at 2',
    'recommended max 2',
    'limit at 3',
  ]);
  expect(await page.locator('poolguard-latency [role=img]').getAttribute('aria-label')).toMatch(
    /8 callers: average 8.4 ms, of which 6.3 ms waiting for a client, p50 8.2 ms, p95 12 ms, p99 15.2 ms\. 665 arrivals\/s: average 3.1 ms, of which 1 ms waiting/,
  );
  expect(await page.locator('poolguard-latency canvas').count()).toBe(1);
  const said = (await texts(page, 'poolguard-probe-report .part')).join('\n');
  for (const each of [
    /max_connections 3 \(100 − 3 reserved/,
    /2 × 9 MB = 18 MB/,
    /work_mem, 4 MB/,
    /HikariCP 5 2 × 2 cores/,
    /1.4 sessions ran a statement at the same time/,
    /2 × 57014/,
    /3 × 40001/,
    /The statement is a stand-in/,
    /SELECT 1 limits the pool size: it queues\./,
    /SELECT 1 \(limits\) 2 ms 8 ms 80 % 92 %/,
    /SELECT 2 1 ms – 20 % 8 %/,
    /Several processes of 12 connections/,
    /4 2 8 4 6 6/,
    /16 1 16 -4 \(does not fit\) 6 6/,
  ])
    expect(said).toMatch(each);
  for (const name of [
    'write-options',
    'copy-snippet',
    'copy-pooler-settings',
    'export-probe',
  ] as const)
    expect(await ask(view, name)).toEqual([{ kind: name }]);
  expect(view.complaints).toEqual([]);
});

test('without a number nothing is offered to be written, without a pooler nothing for it', async () => {
  await using view = await open('panel', {
    kind: 'result',
    result: {
      ...foundTwo,
      recommendation: null,
      verdict: { kind: 'too-noisy', because: 'The machine was busy.' },
    },
  });
  expect(await texts(view.page, 'poolguard-probe-report .actions poolguard-button')).toEqual([
    'Export…',
  ]);
  await view.send({ kind: 'probe', probe: { kind: 'result', result: foundTwo } });
  expect(await texts(view.page, 'poolguard-probe-report .actions poolguard-button')).toEqual([
    'Write into the code…',
    'Copy snippet',
    'Export…',
  ]);
});

test('of several pools the recommendation is not marked on the curve of all of them together', async () => {
  await using view = await open('panel', {
    kind: 'result',
    result: {
      ...whole,
      limits: { pools: 4, limits: [{ ...limit, perPool: 1 }], binding: { ...limit, perPool: 1 } },
    },
  });
  expect(await view.page.locator('poolguard-curve [role=img]').getAttribute('aria-label')).toMatch(
    /levels off at 2, 90 % of the best at 2, limit at 4$/,
  );
  expect(await texts(view.page, '.limits tr.binds th')).toEqual(['max_connections (binds)']);
});
