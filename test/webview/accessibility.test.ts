import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyActivity } from '../../src/activity/activity-model.ts';
import { shopActivity } from '../support/a-server.ts';
import { launchChromium } from '../support/chromium-for-tests.ts';
import { aHistory, foundTwo } from '../support/probe-result.ts';
import { aRunningApp, endedApp, leakingApp, runningState } from '../support/apps-under-watch.ts';
import type { pages } from '../support/webview-page.ts';
import { openWebview, type ThemeName, type WebviewPage } from '../support/webview-page.ts';

const require = createRequire(import.meta.url);
const otherThemes: readonly ThemeName[] = ['light', 'high-contrast', 'high-contrast-light'];
const colourRules = ['color-contrast', 'link-in-text-block'];

let browser: Browser;
let axe: string;
beforeAll(async () => {
  browser = await launchChromium();
  axe = await readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
});
afterAll(() => browser.close());

/** What axe finds wrong, its best practices included, as "theme: rule: where". From one theme to the next only colours change. */
async function violations(view: WebviewPage): Promise<string[]> {
  await view.page.evaluate(axe);
  await view.wear('dark');
  const found = await violationsNow(view, {}, ['color-contrast', 'aria-roles']);
  for (const theme of otherThemes) {
    await view.wear(theme);
    const ofColours = await violationsNow(view, { runOnly: colourRules }, ['color-contrast']);
    found.push(...ofColours.map((each) => `${theme}: ${each}`));
  }
  return found;
}

async function violationsNow(
  { page }: WebviewPage,
  options: RunOptions,
  needed: readonly string[],
): Promise<string[]> {
  const all = { rules: { 'page-has-heading-one': { enabled: false } }, ...options };
  const { violations: found, passes } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(all)})`,
  );
  // What axe could not look into, it would not complain of.
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining([...needed]));
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${target.flat().join(' > ')} ${failureSummary.replaceAll(/\s+/g, ' ')}`,
    ),
  );
}

/** Whatever has another colour in another theme has it at once. */
function openStill(which: keyof typeof pages): Promise<WebviewPage> {
  return openWebview(browser, which, { reducesMotion: true });
}

describe('in every theme nothing is wrong with', () => {
  test('the pools with a session unfolded, live and lost', async () => {
    await using view = await openStill('pools');
    await view.show(shopActivity());
    await view.page.locator('[data-session^="101@"] .session').click();
    expect(await violations(view)).toEqual([]);
    await view.send({
      kind: 'connection',
      connection: {
        kind: 'lost',
        label: 'shop',
        sentence: 'The server closed the connection.',
        retryInMs: 4_000,
      },
      intervalSeconds: 1,
    });
    expect(await violations(view)).toEqual([]);
  });

  test('the blocking tree with a session unfolded', async () => {
    await using view = await openStill('blocking');
    await view.show(shopActivity());
    await view.page.locator('[data-branch="101"]').click({ position: { x: 40, y: 8 } });
    expect(await violations(view)).toEqual([]);
  });

  test('running applications, and one that ended', async () => {
    await using view = await openStill('running');
    await view.show(emptyActivity, {
      running: runningState([
        leakingApp,
        aRunningApp({ key: 'app-2', pid: 4712, threadId: 1 }),
        endedApp,
      ]),
    });
    expect(await violations(view)).toEqual([]);
  });

  test('the wide panel with a row unfolded, rows selected and the columns to choose from', async () => {
    await using view = await openStill('panel');
    await view.show(shopActivity());
    await view.page.locator('[data-pid="101"]').click();
    await view.page.locator('poolguard-grid pre').waitFor();
    for (const pid of [101, 102, 130])
      await view.page.locator(`[data-pid="${pid}"]`).click({ modifiers: ['ControlOrMeta'] });
    expect(await violations(view)).toEqual([]);
    await view.page.getByRole('button', { name: 'Columns' }).click();
    expect(await violations(view)).toEqual([]);
  });

  test.each(['size', 'panel'] as const)(
    "a probe's answer in the %s, and the answers before",
    async (which) => {
      await using view = await openStill(which);
      await view.show(shopActivity(), {
        probe: { kind: 'planned' },
        history: aHistory,
      });
      expect(await violations(view)).toEqual([]);
      await view.send({ kind: 'probe', probe: { kind: 'result', result: foundTwo } });
      expect(await violations(view)).toEqual([]);
    },
  );
});

test.each(['pools', 'blocking', 'running', 'size', 'panel'] as const)(
  'the page %s moves nothing for who wants no motion',
  async (which) => {
    await using view = await openWebview(browser, which, { reducesMotion: true });
    await view.show(shopActivity());
    const moving = await view.page.evaluate<string[]>(`(() => {
    const all = (root) => [...root.querySelectorAll('*')].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
    return all(document).filter((element) => { const style = getComputedStyle(element); return parseFloat(style.transitionDuration) > 0 || (style.animationName !== 'none' && parseFloat(style.animationDuration) > 0); }).map((element) => element.localName + '.' + element.className);
  })()`);
    expect(moving).toEqual([]);
  },
);
