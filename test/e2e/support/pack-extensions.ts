import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build, type BuildOptions } from 'esbuild';

const root = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);

/** Packs the extensions that tests want beside ours into a folder: those that start the real servers of ESLint's and oxlint's, under the ids of theirs, so that the diagnostics are theirs, one that calls tools, and one that does next to nothing. */
export async function packExtensions(folder: string): Promise<readonly string[]> {
  const server =
    require.resolve('vscode-langservers-extracted/lib/eslint-language-server/eslintServer.js');
  return Promise.all([
    packBundled(
      folder,
      { publisher: 'dbaeumer', name: 'vscode-eslint' },
      { extension: 'test/e2e/fixtures/eslint-extension.ts', server },
    ),
    packBundled(
      folder,
      { publisher: 'oxc', name: 'oxc-vscode' },
      { extension: 'test/e2e/fixtures/oxlint-extension.ts' },
    ),
    packBundled(
      folder,
      { publisher: 'poolguard-test', name: 'bare' },
      { extension: 'test/e2e/fixtures/bare-extension.ts' },
    ),
    pack(join(import.meta.dirname, '../fixtures/tool-caller'), join(folder, 'tool-caller.vsix')),
  ]);
}

async function packBundled(
  parent: string,
  id: { readonly publisher: string; readonly name: string },
  entries: Readonly<Record<string, string>>,
): Promise<string> {
  const cwd = join(parent, id.name);
  const shared: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'error',
    mainFields: ['module', 'main'],
  };
  await mkdir(cwd, { recursive: true });
  await Promise.all(
    Object.entries(entries).map(([name, entry]) =>
      build({ ...shared, entryPoints: [entry], outfile: join(cwd, `${name}.cjs`) }),
    ),
  );
  const contributes = {
    configuration: {
      title: id.name,
      properties: { 'eslint.enable': { type: 'boolean', default: true, scope: 'resource' } },
    },
  };
  const manifest = {
    ...id,
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './extension.cjs',
    activationEvents: ['onLanguage:javascript', 'onLanguage:typescript'],
    capabilities: { untrustedWorkspaces: { supported: false } },
    ...(id.publisher === 'dbaeumer' ? { contributes } : {}),
  };
  await writeFile(join(cwd, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(cwd, 'README.md'), 'For tests.\n');
  return pack(cwd, `${cwd}.vsix`);
}

async function pack(cwd: string, packagePath: string): Promise<string> {
  await createVSIX({
    cwd,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
