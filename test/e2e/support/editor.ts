import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { findFreePort } from '../../../scripts/embedded-server.ts';
import { copyExtensions, type ExtensionId } from './extensions.ts';
import { noteNotifications } from './notifications.ts';
import { noteOpen } from './open-pages.ts';
import { patience } from './patience.ts';

/** User settings for a window without tours, suggestions and animations. */
export const calm = {
  'workbench.colorTheme': 'Dark Modern',
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.lightbulb.enabled': 'off',
  'breadcrumbs.enabled': false,
  'workbench.reduceMotion': 'on',
  'telemetry.telemetryLevel': 'off',
  'git.enabled': false,
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'typescript.validate.enable': false,
  'typescript.suggest.enabled': false,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
};

/** One TypeScript server instead of two, and no package manager beside it: no test looks at them, and a small machine would be busy with them. */
const lean = {
  'typescript.tsserver.useSyntaxServer': 'never',
  'typescript.disableAutomaticTypeAcquisition': true,
};

export interface EditorOptions {
  /** User settings, beside calm and lean ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Restricted Mode until somebody trusts the workspace; trusted from the start when not said. */
  readonly isRestricted?: boolean;
  /** A `.code-workspace` file among the files; the folder itself is opened when not said. */
  readonly workspaceFile?: string;
  /** Files of the home folder, which nobody else may read. */
  readonly home?: Readonly<Record<string, string>>;
  /** Extensions that are installed beside ours. */
  readonly extensions?: readonly ExtensionId[];
  /** Installed in place of ours, for comparison. */
  readonly instead?: ExtensionId;
}

export interface Editor {
  readonly page: Page;
  /** The folder with the files. */
  readonly folder: string;
  /** The process that keeps the editor's server; the extension host is among its children. */
  readonly keeperId: number | undefined;
  /** Everything the browser's console and its content security policy complained about. */
  readonly complaints: readonly string[];
  /** Every text file that the editor wrote: settings, state, logs. */
  writtenText(): Promise<string>;
  stop(): Promise<void>;
}

/** A VS Code of its own with the extension installed and one folder open, seen through a browser. */
export async function startEditor(
  files: Readonly<Record<string, string>>,
  options: EditorOptions = {},
): Promise<Editor> {
  const folder = await mkdtemp(join(tmpdir(), 'poolguard-editor-'));
  const started: { keeper?: ChildProcess; browser?: Browser } = {};
  const stop = async (): Promise<void> => {
    await started.browser?.close();
    await end(started.keeper);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const workspace = join(folder, 'shop-api');
    await fill(folder, workspace, files, options);
    const port = await findFreePort();
    started.keeper = startKeeper(folder, port, options);
    [started.browser] = await Promise.all([launchChromium(), untilReady(started.keeper)]);
    const { page, complaints } = await openPage(started.browser);
    const { workspaceFile } = options;
    const opened =
      workspaceFile === undefined
        ? `folder=${encodeURIComponent(workspace)}`
        : `workspace=${encodeURIComponent(join(workspace, workspaceFile))}`;
    await page.goto(`http://127.0.0.1:${port}/?${opened}`);
    await page.locator('.monaco-workbench .activitybar').waitFor();
    return {
      page,
      folder: workspace,
      keeperId: started.keeper.pid,
      complaints,
      writtenText: () => readAll(join(folder, 'user')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: inject('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A page, and all that it will complain about. */
export async function openPage(
  browser: Browser,
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const page = await browser.newPage({
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
  });
  noteOpen(page);
  page.setDefaultTimeout(patience);
  await noteNotifications(page);
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (failure) => complaints.push(String(failure)));
  return { page, complaints };
}

/** Everything that the editor finds: the workspace, settings, the home folder, extensions. */
async function fill(
  folder: string,
  workspace: string,
  files: Readonly<Record<string, string>>,
  { settings = {}, home = {}, extensions = [], instead = 'poolguard.poolguard' }: EditorOptions,
): Promise<void> {
  await writeFiles(workspace, files);
  await writeFiles(join(folder, 'user'), {
    'User/settings.json': JSON.stringify({ ...calm, ...lean, ...settings }),
  });
  await writeFiles(folder, home);
  await Promise.all(Object.keys(home).map((path) => chmod(join(folder, path), 0o600)));
  await copyExtensions([instead, ...extensions], join(folder, 'extensions'));
}

function startKeeper(
  folder: string,
  port: number,
  { isRestricted = false }: EditorOptions,
): ChildProcess {
  const { node, entry } = inject('codeServer');
  const env = {
    ...withoutDatabases(process.env),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
  };
  const args = [
    entry,
    '--user-data-dir',
    join(folder, 'user'),
    '--extensions-dir',
    join(folder, 'extensions'),
    '--auth',
    'none',
    '--bind-addr',
    `127.0.0.1:${port}`,
    '--disable-telemetry',
    '--disable-update-check',
    ...(isRestricted ? [] : ['--disable-workspace-trust']),
  ];
  // A group of its own, so that Ctrl-C in the terminal leaves it time to clean up.
  const keeper = fork(join(import.meta.dirname, 'editor-keeper.mjs'), {
    detached: true,
    stdio: 'ignore',
    execArgv: [],
  });
  keeper.send({ file: node, args, folder, env });
  return keeper;
}

/** What a developer's shell or a CI job names is not what a test names. */
function withoutDatabases(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:PG[A-Z]+|DATABASE_URL)$/u.test(name)),
  );
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function untilReady(keeper: ChildProcess): Promise<void> {
  const [message] = (await once(keeper, 'message')) as [
    { readonly kind: 'ready' } | { readonly kind: 'failed'; readonly sentence: string },
  ];
  if (message.kind === 'failed')
    throw new Error(`VS Code ended before it was ready:\n${message.sentence}`);
}

async function end(keeper: ChildProcess | undefined): Promise<void> {
  if (keeper?.connected !== true) return;
  const ended = once(keeper, 'exit');
  keeper.disconnect();
  await ended;
}

async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  return texts.join('\n');
}
