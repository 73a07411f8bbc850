// Packs the extension: poolguard-<version>.vsix in the repository, or at the path given as argument.
// npm and vsce both read `files` of package.json and mean different things, so that the VSIX is packed from a folder of its own.
import { createVSIX } from '@vscode/vsce';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const contents = ['README.md', 'CHANGELOG.md', 'LICENSE', 'media/icon.png', 'media/activity.svg', 'media/walkthrough', 'dist/extension.cjs', 'dist/client-library.cjs', 'dist/find-connections.cjs', 'dist/driver.cjs', 'dist/report-formats.cjs', 'dist/set-up-linters.cjs', 'dist/running-apps.cjs', 'dist/pool-watch.cjs', 'dist/server.cjs', 'dist/eslint-config.cjs', 'dist/extension-web.js', 'dist/server-web.js', 'dist/probe.cjs', 'dist/libpg-query.wasm', 'dist/webview'];

const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const packagePath = resolve(process.argv[2] ?? join(root, `poolguard-${manifest.version}.vsix`));
const folder = await mkdtemp(join(tmpdir(), 'poolguard-vsix-'));
try {
  for (const path of contents.filter((each) => existsSync(join(root, each)))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(forEditors(manifest), null, 2));
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** What only npm reads is left out; `node` is the editor's own, and a browser's extension host refuses what calls itself a module. */
function forEditors({ type: _type, files: _files, scripts: _scripts, bin: _bin, workspaces: _workspaces, dependencies: _dependencies, devDependencies: _dev, allowScripts: _allow, engines, ...rest }) {
  return { ...rest, engines: { vscode: engines.vscode } };
}
