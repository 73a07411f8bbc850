import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { emptyActivity, type ActivityModel } from '../../src/activity/activity-model.ts';
import { toHtml } from '../../src/editor/pages/page-html.ts';
import { firstLayout } from '../../src/webview/column-layout.ts';
import { capActivity, leanActivity } from '../../src/webview/lean-activity.ts';
import type { FromView } from '../../src/webview/from-view.ts';
import type { PoolModel, ToView } from '../../src/webview/to-view.ts';
import type { ToPoolerPage } from '../../src/webview/to-pooler-page.ts';
import { nothingRunning } from '../../src/webview/running-messages.ts';

const origin = 'http://panel.test';

export type ThemeName = 'dark' | 'light' | 'high-contrast' | 'high-contrast-light';

export const pages = {
  pools: { script: 'sidebar', element: 'poolguard-pools-view', title: 'Pools', width: 320 },
  blocking: {
    script: 'sidebar',
    element: 'poolguard-blocking-view',
    title: 'Blocking',
    width: 320,
  },
  running: {
    script: 'sidebar',
    element: 'poolguard-running-view',
    title: 'Running apps',
    width: 320,
  },
  size: { script: 'sidebar', element: 'poolguard-size-view', title: 'Pool size', width: 320 },
  panel: {
    script: 'sessions-panel',
    element: 'poolguard-sessions-panel',
    title: 'Sessions',
    width: 1200,
  },
  pooler: {
    script: 'pooler-panel',
    element: 'poolguard-pooler-panel',
    title: 'Pooler',
    width: 1000,
  },
} as const;

/** What tests read of an element in the page. */
export interface Shown {
  readonly textContent: string;
  getAttribute(name: string): string | null;
}

export interface WebviewOptions {
  readonly reducesMotion?: boolean;
  /** The repository, for who is bundled to somewhere else. */
  readonly root?: string;
}

/** A built page in a real browser, with what the editor gives to it: its own policy, a theme's variables, those of the dark one at first, and a host to talk to. */
export interface WebviewPage extends AsyncDisposable {
  readonly page: Page;
  /** What the browser refused or stumbled over. */
  readonly complaints: readonly string[];
  /** As the host answers `ready`. */
  show(activity: ActivityModel, change?: Partial<PoolModel>): Promise<void>;
  /** As the host sends the next look. */
  look(activity: ActivityModel): Promise<void>;
  /** Brings the next look into the page, where `deliver()` sends it and resolves after the second frame. For who measures. */
  prepareLook(activity: ActivityModel): Promise<void>;
  send(message: ToView | ToPoolerPage): Promise<void>;
  /** As the editor does when somebody chooses another theme. */
  wear(theme: ThemeName): Promise<void>;
  /** What the page has asked for since it was last asked here. */
  asked(): Promise<readonly FromView[]>;
}

const frames =
  'new Promise((resolve) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))))';

/** What stands in for the editor's API; the kept state outlives a reload, as in the editor. */
const fakeApi = `
  window.asked = [];
  window.deliver = () => { window.postMessage(window.prepared, '*'); return ${frames}; };
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => void window.asked.push(structuredClone(message)),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => void sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;

export async function openWebview(
  browser: Browser,
  which: keyof typeof pages,
  { reducesMotion = false, root = join(import.meta.dirname, '../..') }: WebviewOptions = {},
): Promise<WebviewPage> {
  const { width, ...content } = pages[which];
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: reducesMotion ? 'reduce' : 'no-preference',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (failure) => complaints.push(String(failure)));
  await page.addInitScript(fakeApi);
  const script = await readFile(join(root, `dist/webview/${content.script}.js`), 'utf8');
  const style = await readFile(join(root, 'dist/webview/page.css'), 'utf8');
  const served: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': [
      'text/html',
      toHtml(content, {
        script: `${origin}/page.js`,
        style: `${origin}/page.css`,
        source: origin,
        nonce: 'c2VjcmV0',
      })
        .replace('<html', '<html data-theme="dark"')
        .replace('<body', `<body class="${bodyClasses.dark}"`),
    ],
    '/page.js': ['text/javascript', script],
    '/page.css': ['text/css', `${await themeSheets(root, which)}\n${style}`],
  };
  await page.route('**/*', (route) => {
    const [contentType, body] = served[new URL(route.request().url()).pathname] ?? [];
    return contentType === undefined || !route.request().url().startsWith(origin)
      ? route.abort()
      : route.fulfill({ contentType, body: body ?? '' });
  });
  const wear = (theme: ThemeName) =>
    page
      .evaluate(
        `document.documentElement.dataset.theme = '${theme}'; document.body.className = '${bodyClasses[theme]}';`,
      )
      .then(() => settled(page));
  await page.goto(`${origin}/`);
  let sent = emptyActivity;
  const send = (message: ToView | ToPoolerPage): Promise<void> =>
    page.evaluate(`window.postMessage(${JSON.stringify(message)}, '*')`).then(() => settled(page));
  const next = (activity: ActivityModel): ToView => {
    const before = sent;
    sent = capActivity(activity);
    return { kind: 'activity', activity: leanActivity(sent, before) };
  };
  return {
    page,
    complaints,
    send,
    show: (activity, change = {}) => {
      sent = capActivity(activity);
      return send({
        kind: 'model',
        model: {
          connection: { kind: 'live', label: 'shop@localhost:5432/shop' },
          probe: { kind: 'idle' },
          history: null,
          pooler: { kind: 'unknown' },
          running: nothingRunning,
          intervalSeconds: 1,
          columns: firstLayout,
          ...change,
          activity: sent,
        },
        seenAgoMs: 0,
      });
    },
    look: (activity) => send(next(activity)),
    prepareLook: async (activity) => {
      await page.evaluate(
        `window.prepared = JSON.parse(${JSON.stringify(JSON.stringify(next(activity)))}); undefined`,
      );
      await settled(page);
    },
    wear,
    asked: () => page.evaluate<readonly FromView[]>('window.asked.splice(0)'),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** The message was delivered, and the frame after it painted. */
function settled(page: Page): Promise<void> {
  return page.evaluate(frames);
}

const bodyClasses: Readonly<Record<ThemeName, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  'high-contrast': 'vscode-high-contrast',
  'high-contrast-light': 'vscode-high-contrast vscode-high-contrast-light',
};

/** The variables that the editor sets, with the values that its own themes give them; test/webview/themes.json says where from. */
async function themeSheets(root: string, which: keyof typeof pages): Promise<string> {
  const themes = JSON.parse(
    await readFile(join(root, 'test/webview/themes.json'), 'utf8'),
  ) as Readonly<Record<ThemeName, Readonly<Record<string, string>>>>;
  const background = pages[which].script === 'sidebar' ? 'sideBar-background' : 'editor-background';
  const reports = Object.entries(themes).map(([theme, values]) => {
    const variables = Object.entries(values)
      .map(([name, value]) => `--vscode-${name}: ${value};`)
      .join(' ');
    return `[data-theme="${theme}"] { color-scheme: ${theme.includes('light') ? 'light' : 'dark'}; ${variables} }`;
  });
  return `${reports.join('\n')} body { background: var(--vscode-${background}); }`;
}
