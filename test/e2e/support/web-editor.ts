import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, posix } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';
import { calm, launchChromium, openPage } from './editor.ts';
import { folderOfExtension } from './extensions.ts';

/** VS Code in a browser alone: no remote, and no extension host besides the browser's own worker. */
export interface WebEditor {
  readonly page: Page;
  /** What the browser's console said was wrong. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

/** How code-server ties its workbench to a remote, and what a workbench without one says there. */
const withoutRemote: readonly (readonly [said: RegExp, instead: string])[] = [
  [/remoteAuthority:location\.host/u, 'remoteAuthority:undefined'],
  [/(this\.userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote/u, '$1vscodeUserData'],
];

/**
 * Opens `files` as a folder of the scheme `memfs`, which a tiny extension provides. The workbench is the one inside of code-server,
 * which always looks for the remote it came from; here it does not.
 */
export async function startWebEditor(files: Readonly<Record<string, string>>): Promise<WebEditor> {
  const server = createServer();
  let browser: Browser | undefined;
  const stop = async () => {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  };
  try {
    const authority = await listen(server);
    serve(server, { authority, extension: await folderOfExtension('poolguard.poolguard'), files });
    browser = await launchChromium();
    const { page, complaints } = await openPage(browser);
    await page.goto(`http://${authority}/`);
    await page.locator('.monaco-workbench .activitybar').waitFor();
    return { page, complaints, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Served {
  readonly authority: string;
  /** The folder of the unpacked extension. */
  readonly extension: string;
  readonly files: Readonly<Record<string, string>>;
}

function serve(server: Server, { authority, extension, files }: Served): void {
  const made: Readonly<Record<string, string>> = {
    '/': pageOf(authority),
    '/memfs/package.json': JSON.stringify(memfsManifest),
    '/memfs/extension.js': memfsExtension(files),
  };
  server.on('request', (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', `http://${authority}`).pathname);
    const answered = async () => {
      const body = made[path] ?? (await readStatic(path, extension));
      response
        .writeHead(200, {
          'content-type':
            types[path === '/' ? '.html' : extname(path)] ?? 'application/octet-stream',
        })
        .end(body);
    };
    answered().catch(() => response.writeHead(404).end());
  });
}

async function readStatic(path: string, extension: string): Promise<string | Buffer> {
  const [, top = '', ...names] = posix.normalize(path).split('/');
  const folder =
    top === 'poolguard'
      ? extension
      : join(dirname(dirname(dirname(inject('codeServer').entry))), 'lib/vscode');
  const file = join(folder, ...names);
  if (!path.endsWith('/code/browser/workbench/workbench.js')) return readFile(file);
  return withoutRemote.reduce(
    (text, [said, instead]) => {
      if (!said.test(text))
        throw new Error(`The workbench of code-server no longer says ${String(said)}.`);
      return text.replace(said, instead);
    },
    await readFile(file, 'utf8'),
  );
}

function pageOf(authority: string): string {
  const extensionAt = (path: string) => ({ scheme: 'http', authority, path });
  const configuration = {
    userDataPath: '/user',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    folderUri: { scheme: 'memfs', authority: 'shop', path: '/api' },
    additionalBuiltinExtensions: [extensionAt('/poolguard'), extensionAt('/memfs')],
    configurationDefaults: calm,
    productConfiguration: {
      nameShort: 'VS Code',
      nameLong: 'VS Code',
      enableTelemetry: false,
      extensionsGallery: undefined,
    },
  };
  const attribute = JSON.stringify(configuration)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;');
  return `<!DOCTYPE html>
<html>
  <head>
    <meta charset="utf-8">
    <meta id="vscode-workbench-web-configuration" data-settings="${attribute}">
    <link rel="stylesheet" href="/vscode/out/vs/code/browser/workbench/workbench.css">
  </head>
  <body></body>
  <script>globalThis._VSCODE_FILE_ROOT = 'http://${authority}/vscode/out/';</script>
  <script type="module" src="/vscode/out/nls.messages.js"></script>
  <script type="module" src="/vscode/out/vs/code/browser/workbench/workbench.js"></script>
</html>
`;
}

const memfsManifest = {
  name: 'memfs',
  publisher: 'poolguard-tests',
  version: '1.0.0',
  engines: { vscode: '^1.100.0' },
  browser: './extension.js',
  activationEvents: ['onFileSystem:memfs', '*'],
  extensionKind: ['web'],
  contributes: {},
};

/** The script of an extension that provides files from memory. */
function memfsExtension(files: Readonly<Record<string, string>>): string {
  return `
const { EventEmitter, FileSystemError, FileType, workspace } = require('vscode');
const files = new Map(Object.entries(${JSON.stringify(files)}).map(([path, text]) => ['/api/' + path, new TextEncoder().encode(text)]));
const namesIn = (folder) => [...files.keys()].filter((path) => path.startsWith(folder + '/')).map((path) => path.slice(folder.length + 1).split('/'));
const changed = new EventEmitter();
const provider = {
  onDidChangeFile: changed.event,
  watch: () => ({ dispose() {} }),
  stat({ path }) {
    const file = files.get(path);
    if (file !== undefined) return { type: FileType.File, ctime: 0, mtime: 0, size: file.length };
    if (namesIn(path).length > 0) return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw FileSystemError.FileNotFound();
  },
  readDirectory: ({ path }) => [...new Map(namesIn(path).map(([name, ...rest]) => [name, rest.length > 0 ? FileType.Directory : FileType.File]))],
  readFile({ path }) {
    const file = files.get(path);
    if (file === undefined) throw FileSystemError.FileNotFound();
    return file;
  },
  writeFile: ({ path }, content) => void files.set(path, content),
  createDirectory() {}, delete() {}, rename() {},
};
exports.activate = () => workspace.registerFileSystemProvider('memfs', provider, { isCaseSensitive: true });
`;
}
