import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build, type BuildOptions } from 'esbuild';

const root = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);

/** Extensions that start the real servers of ESLint's and oxlint's, under the ids of theirs, so that the diagnostics are theirs. */
export interface LinterExtensions extends AsyncDisposable {
  readonly eslint: string;
  readonly oxlint: string;
}

export async function packLinterExtensions(): Promise<LinterExtensions> {
  await mkdir(join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(join(root, '.cache', 'linters-'));
  const server =
    require.resolve('vscode-langservers-extracted/lib/eslint-language-server/eslintServer.js');
  const [eslint, oxlint] = await Promise.all([
    pack(
      folder,
      { publisher: 'dbaeumer', name: 'vscode-eslint' },
      { extension: 'test/e2e/fixtures/eslint-extension.ts', server },
    ),
    pack(
      folder,
      { publisher: 'oxc', name: 'oxc-vscode' },
      { extension: 'test/e2e/fixtures/oxlint-extension.ts' },
    ),
  ]);
  return {
    eslint,
    oxlint,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function pack(
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
  const packagePath = `${cwd}.vsix`;
  await createVSIX({
    cwd,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}
