import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver/node';
import { startTestClient, type ServerCommand } from '../support/language-client.ts';
import { packedArtifacts } from '../support/packed-artifacts.ts';
import { installPlugin, modules, ours } from '../support/packed-plugin.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const leak = `import { Pool } from 'pg';
export const pool = new Pool();
pool.on('error', console.error);
export async function load(id) {
  const client = await pool.connect();
  await client.query('select $1', [id]);
  client.release();
}
`;
const files = {
  'package.json': '{ "type": "module", "dependencies": { "pg": "^8" } }',
  'load.js': leak,
  'eslint.config.js':
    "import poolguard from 'eslint-plugin-poolguard';\nexport default [poolguard.configs.recommended];\n",
  '.oxlintrc.json':
    '{ "jsPlugins": ["eslint-plugin-poolguard"], "rules": { "poolguard/no-unreleased-client": "error" } }',
};

/** What ESLint's own clients answer when its server asks for settings. */
const eslintSettings = {
  validate: 'on',
  run: 'onType',
  useESLintClass: true,
  useFlatConfig: true,
  experimental: { useFlatConfig: false },
  packageManager: 'npm',
  nodePath: null,
  quiet: false,
  onIgnoredFiles: 'off',
  options: {},
  rulesCustomizations: [],
  problems: { shortenToSingleLine: false },
  format: false,
  codeActionOnSave: { mode: 'all' },
  codeAction: {
    disableRuleComment: { enable: true, location: 'separateLine', commentStyle: 'line' },
    showDocumentation: { enable: true },
  },
};

const oxlintSettings = { run: 'onType' };

interface LintServer {
  readonly name: string;
  readonly command: ServerCommand;
  readonly settings: object;
  /** What it wants to know when it starts. */
  readonly options?: (workspaceUri: string) => object;
  /** As the linter spells the rule. */
  readonly code: string;
}

const servers: readonly LintServer[] = [
  {
    name: 'ESLint',
    command: {
      file: createRequire(import.meta.url).resolve(
        'vscode-langservers-extracted/bin/vscode-eslint-language-server',
      ),
      args: ['--stdio'],
    },
    settings: eslintSettings,
    code: 'poolguard/no-unreleased-client',
  },
  {
    name: 'oxlint',
    command: { file: join(modules, 'oxlint/bin/oxlint'), args: ['--lsp'] },
    settings: oxlintSettings,
    options: (workspaceUri) => [{ workspaceUri, options: oxlintSettings }],
    code: 'poolguard(no-unreleased-client)',
  },
];

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await createTemporaryFolder(files);
  await installPlugin((await packedArtifacts()).folder, folder, ours('eslint', 'oxlint'));
}, 240_000);
afterAll(() => folder[Symbol.asyncDispose]());

test.each(servers)(
  'the language server of $name reports the leak with our plugin, and offers to fix it',
  async ({ command, settings, options, code }) => {
    const workspaceUri = pathToFileURL(folder.path).href;
    const uri = pathToFileURL(join(folder.path, 'load.js')).href;
    await using client = await startTestClient(
      command,
      folder.path,
      undefined,
      options?.(workspaceUri),
    );
    client.settings = { ...settings, workspaceFolder: { name: 'shop', uri: workspaceUri } };
    await client.open(uri, leak, 'javascript');
    const diagnostics = await client.diagnostics(uri);
    expect(diagnostics.map((each) => [each.code, each.range.start.line])).toEqual([[code, 4]]);
    const actions = await client.connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: diagnostics[0]?.range,
      context: { diagnostics },
    });
    expect(actions.map(({ kind, title }) => `${kind}: ${title}`).join('\n')).toMatch(
      /^quickfix: .*Release the client in a `finally`/mu,
    );
  },
);
