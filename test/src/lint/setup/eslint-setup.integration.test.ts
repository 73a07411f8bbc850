import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clearCaches } from '@typescript-eslint/parser';
import type { ESLint as EslintClass } from 'eslint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyEdits } from '../../../../src/lint/setup/text-edit.ts';
import { setUpEslint } from '../../../../src/lint/setup/eslint-setup.ts';
import type { SetupFacts } from '../../../../src/lint/setup/setup-answer.ts';
import { eslints, modules } from '../../../support/packed-plugin.ts';
import { createTemporaryFolder } from '../../../support/temporary-folder.ts';

const facts: SetupFacts = {
  fileName: 'eslint.config.js',
  text: null,
  preset: 'recommended',
  pooler: '',
  typescript: null,
};
const leak =
  "import { Pool } from 'pg';\nconst pool = new Pool({ max: 3 });\npool.on('error', () => {});\nexport async function look() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";
const leakInCommonJs = leak
  .replace("import { Pool } from 'pg';", "const { Pool } = require('pg');")
  .replace('export async', 'async');

/** A configuration as people write them; each is to report the leak of its file when our entry stands in it. */
interface Shape extends Partial<SetupFacts> {
  readonly is: string;
  readonly file?: string;
  readonly commonJs?: true;
  /** What must be in the text afterwards. */
  readonly has?: string;
}

const shapes: readonly Shape[] = [
  { is: 'none, an ES module', has: 'export default [\n  poolguard.configs.recommended,\n];\n' },
  {
    is: 'none, CommonJS',
    fileName: 'eslint.config.cjs',
    has: "require('eslint-plugin-poolguard').default;",
  },
  {
    is: 'none, with typescript-eslint',
    fileName: 'eslint.config.mjs',
    typescript: 'typescript-eslint',
    file: 'leak.ts',
    has: 'tseslint.parser',
  },
  {
    is: 'none, with the parser alone',
    fileName: 'eslint.config.mjs',
    typescript: '@typescript-eslint/parser',
    file: 'leak.ts',
  },
  {
    is: 'none, CommonJS with typescript-eslint',
    fileName: 'eslint.config.cjs',
    typescript: 'typescript-eslint',
    file: 'leak.ts',
  },
  {
    is: 'none, CommonJS with the parser alone',
    fileName: 'eslint.config.cjs',
    typescript: '@typescript-eslint/parser',
    file: 'leak.ts',
  },
  {
    is: 'none, behind a pooler',
    preset: 'transaction-pooling',
    pooler: 'pgbouncer:transaction:1.21',
    has: "poolguard.configs['transaction-pooling'],\n  { settings: { poolguard: { pooler: 'pgbouncer:transaction:1.21' } } },\n",
  },
  { is: 'an empty file', text: '\n' },
  {
    is: 'an empty array',
    text: 'export default [];\n',
    has: 'export default [poolguard.configs.recommended];',
  },
  {
    is: 'an array on a line',
    text: "export default [{ rules: { eqeqeq: 'error' } }];\n",
    has: "[{ rules: { eqeqeq: 'error' } }, poolguard.configs.recommended]",
  },
  {
    is: 'an array over lines',
    text: "import globals from 'globals-stand-in'; // what a browser knows\n\nexport default [\n  { languageOptions: { globals } },\n  {\n    rules: { eqeqeq: 'error' },\n  }, // the last one\n];\n",
    has: '  }, // the last one\n  poolguard.configs.recommended,\n];',
  },
  {
    is: 'no comma at the end, and a comment there',
    text: "export default [\n  { rules: { eqeqeq: 'error' } } // the last one\n];\n",
    has: "{ rules: { eqeqeq: 'error' } }, // the last one\n  poolguard.configs.recommended\n];",
  },
  {
    is: 'a spread and tabs, no semicolons, double quotes',
    text: 'import other from "./other.js"\n\nexport default [\n\t...other,\n\t{ rules: { eqeqeq: "error" } },\n]\n',
    has: 'import poolguard from "eslint-plugin-poolguard"\n\nexport default [\n\t...other,\n\t{ rules: { eqeqeq: "error" } },\n\tpoolguard.configs.recommended,\n]\n',
  },
  {
    is: 'line breaks of Windows',
    text: "export default [\r\n    { rules: { eqeqeq: 'error' } },\r\n];\r\n",
    has: "import poolguard from 'eslint-plugin-poolguard';\r\n\r\nexport default [\r\n    { rules: { eqeqeq: 'error' } },\r\n    poolguard.configs.recommended,\r\n];\r\n",
  },
  {
    is: 'a typed array',
    text: "// @ts-check\n/** @type {import('eslint').Linter.Config[]} */\nexport default [\n  {},\n];\n",
    has: "// @ts-check\nimport poolguard from 'eslint-plugin-poolguard';\n\n/** @type",
  },
  {
    is: 'defineConfig of a list',
    text: "import { defineConfig } from 'eslint/config';\n\nexport default defineConfig([\n  { rules: { eqeqeq: 'error' } },\n]);\n",
    has: '  poolguard.configs.recommended,\n]);',
  },
  {
    is: 'defineConfig of arguments',
    text: "import { defineConfig, globalIgnores } from 'eslint/config';\n\nexport default defineConfig(globalIgnores(['dist/']), { rules: {} });\n",
    has: '{ rules: {} }, poolguard.configs.recommended);',
  },
  {
    is: 'defineConfig by another name',
    text: "import { defineConfig as define } from 'eslint/config';\nexport default define({ rules: {} });\n",
  },
  {
    is: 'defineConfig of a constant',
    text: "import { defineConfig } from 'eslint/config';\nconst base = [{ rules: {} }];\nexport default defineConfig(base);\n",
    has: 'defineConfig(base, poolguard.configs.recommended)',
  },
  {
    is: 'tseslint.config',
    text: "import tseslint from 'typescript-eslint';\n\nexport default tseslint.config(\n  tseslint.configs.recommended,\n  { rules: { eqeqeq: 'error' } },\n);\n",
    file: 'leak.ts',
    has: '  poolguard.configs.recommended,\n);',
  },
  {
    is: 'config of typescript-eslint',
    text: "import { config, configs } from 'typescript-eslint';\nexport default config(...configs.recommended);\n",
    file: 'leak.ts',
  },
  {
    is: 'a constant',
    text: "const config = [\n  { rules: { eqeqeq: 'error' } },\n];\n\nexport default config;\n",
    has: '  poolguard.configs.recommended,\n];\n\nexport default config;',
  },
  {
    is: 'a constant of defineConfig',
    text: "import { defineConfig } from 'eslint/config';\nconst config = defineConfig({ rules: {} });\nexport default config;\n",
  },
  {
    is: 'module.exports',
    text: "'use strict';\n\nmodule.exports = [\n  { rules: { eqeqeq: 'error' } },\n];\n",
    fileName: 'eslint.config.cjs',
    has: "'use strict';\n\nconst poolguard = require('eslint-plugin-poolguard').default;\n\nmodule.exports = [",
  },
  {
    is: 'module.exports after requires',
    text: "const { defineConfig } = require('eslint/config');\nconst path = require('node:path');\n\nmodule.exports = defineConfig([{ settings: { here: path.sep } }]);\n",
    commonJs: true,
    has: "require('node:path');\nconst poolguard = require('eslint-plugin-poolguard').default;\n\nmodule.exports",
  },
  {
    is: 'module.exports of a constant',
    text: "const tseslint = require('typescript-eslint');\nconst config = tseslint.config(tseslint.configs.recommended);\nmodule.exports = config;\n",
    fileName: 'eslint.config.cjs',
    file: 'leak.ts',
  },
  {
    is: 'TypeScript with satisfies',
    text: "import type { Linter } from 'eslint';\n\nexport default [\n  { rules: { eqeqeq: 'error' } },\n] satisfies Linter.Config[];\n",
    fileName: 'eslint.config.ts',
  },
  {
    is: 'TypeScript in CommonJS',
    text: 'const config = [{ rules: {} }];\n\nexport = config;\n',
    fileName: 'eslint.config.cts',
  },
  {
    is: 'the name is taken',
    text: 'const poolguard = { rules: {} };\nexport default [poolguard];\n',
    has: 'poolguardPlugin.configs.recommended',
  },
];

const warnings: Error[] = [];
const hear = (warning: Error) => void warnings.push(warning);
beforeAll(() => process.on('warning', hear));
afterAll(() => process.off('warning', hear));

const others = { 'other.js': 'export default [];\n' };

describe.each(Object.entries(eslints))(
  'with ESLint %s the leak is reported from',
  (_version, eslint) => {
    test.each(shapes)(
      '$is',
      async ({ is: _is, file = 'leak.js', commonJs, has, ...given }) => {
        const config = written({ ...facts, ...given });
        if (has !== undefined) expect(config).toContain(has);
        const { fileName = facts.fileName } = given;
        const isCommonJs = commonJs === true || /\.c[jt]s$/u.test(fileName);
        await using folder = await createTemporaryFolder({
          ...others,
          [fileName]: config,
          [file]: isCommonJs && file === 'leak.js' ? leakInCommonJs : leak,
          'package.json': JSON.stringify(isCommonJs ? {} : { type: 'module' }),
        });
        await installStandIns(folder.path, eslint);
        expect(await rulesThatReport(eslint, file, folder.path)).toContain(
          'poolguard/no-unreleased-client',
        );
        expect(warnings).toEqual([]);
      },
      60_000,
    );
  },
);

test.each(shapes.filter(({ text }) => text?.trim()))(
  '$is: a second time nothing is to be done',
  ({ is: _is, file: _file, has: _has, commonJs: _commonJs, ...given }) => {
    const once = { ...facts, ...given };
    expect(setUpEslint({ ...once, text: written(once) })).toEqual({ kind: 'already' });
  },
);

test.each([
  ['a function call', "import antfu from '@antfu/eslint-config';\nexport default antfu();\n"],
  ['a promise', 'export default (async () => [])();\n'],
  ['concat', 'export default [].concat([{}]);\n'],
  ['what may change', 'let config = [];\nexport default config;\n'],
  [
    'a config of somebody else',
    "import { defineConfig } from './ours.js';\nexport default defineConfig([]);\n",
  ],
  ['two exports', 'export default [];\nmodule.exports = [];\n'],
  ['no export', 'const config = [];\n'],
  ['a single object', 'export default { rules: {} };\n'],
])('%s is left to the user, with the text to write', (_is, text) => {
  expect(setUpEslint({ ...facts, text })).toMatchObject({
    kind: 'by hand',
    sentence: expect.stringContaining('by hand') as string,
    snippet: expect.stringContaining('poolguard.configs.recommended') as string,
  });
});

test('what does not parse is left alone', () => {
  expect(setUpEslint({ ...facts, text: 'export default [\n' })).toMatchObject({
    kind: 'by hand',
    sentence: 'eslint.config.js has a syntax error, so nothing was written to it.',
  });
});

function written(given: SetupFacts): string {
  const answer = setUpEslint(given);
  if (answer.kind === 'create') return answer.text;
  return answer.kind === 'edit'
    ? applyEdits(given.text ?? '', answer.edits)
    : `not written: ${answer.kind}`;
}

async function installStandIns(folder: string, eslint: string): Promise<void> {
  const target = join(folder, 'node_modules');
  await mkdir(join(target, '@typescript-eslint'), { recursive: true });
  const links = {
    eslint,
    ...Object.fromEntries(
      [
        'eslint-plugin-poolguard',
        'typescript-eslint',
        '@typescript-eslint/parser',
        'typescript',
        'jiti',
      ].map((name) => [name, join(modules, name)]),
    ),
  };
  await Promise.all(
    Object.entries(links).map(([name, from]) => symlink(from, join(target, name), 'junction')),
  );
  await mkdir(join(target, 'globals-stand-in'));
  await writeFile(
    join(target, 'globals-stand-in/package.json'),
    '{ "name": "globals-stand-in", "type": "module", "exports": "./index.js" }',
  );
  await writeFile(join(target, 'globals-stand-in/index.js'), 'export default {};\n');
}

/** What an ESLint reports of a file, in this process: it is loaded once for all configurations. */
async function rulesThatReport(eslint: string, file: string, cwd: string) {
  const { ESLint } = (await import(pathToFileURL(join(eslint, 'lib/api.js')).href)) as {
    readonly ESLint: typeof EslintClass;
  };
  // The parser takes it amiss when configurations of two folders load it.
  clearCaches();
  const results = await new ESLint({ cwd }).lintFiles([file]);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message }) => ruleId ?? message),
  );
}
