import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseLua } from 'luaparse';
import type { Expression, TableConstructorExpression, TableValue, TableKeyString } from 'luaparse';
import { parse as parseToml } from 'smol-toml';
import { ESLint } from 'eslint';
import * as v from 'valibot';
import { expect } from 'vitest';
import { settings, type Setting } from '../../../src/settings/settings.ts';
import { runInProcess } from '../../support/cli-run.ts';
import { codeBlocksOf } from '../../support/code-blocks.ts';
import { root, textOf, type Unit } from '../../support/documents.ts';
import { startTestClient } from '../../support/language-client.ts';
import { runNode } from '../../support/run-process.ts';
import { iniSettings, leakRule, leakyFile, type Stage } from './stage.ts';

/** Files of a reader: what the example is about is found, or not. */
export async function isLinted({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write('src/orders.js', text);
  const { code, stdout } = await stage.run('npx poolguard lint src');
  expect([code, stdout.includes(leakRule)]).toEqual(
    text.includes('try {') ? [0, false] : [1, true],
  );
}

/** One line of a reader's module: with the names that it uses it parses, and is no finding. */
export async function isFine({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write(
    'src/orders.js',
    `import { Pool } from 'pg';\n${text}pool.on('error', console.error);\nexport { pool };\n`,
  );
  expect(await stage.run('npx poolguard lint src')).toMatchObject({ code: 0 });
  const { stdout: help } = await runInProcess(['sweep', '--help=all']);
  expect(help.replaceAll(/\s+/gu, ' ')).toContain(
    `(default: "${/process\.env\.(\w+)/u.exec(text)?.[1]}")`,
  );
}

/** What the block above it prints, letter for letter. */
export async function isPrinted({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write('src/orders.js', leakyFile);
  const { stdout } = await stage.run('npx poolguard lint src');
  expect(stdout.trim()).toBe(text.trim());
}

export async function isTheVerdict({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write('src/orders.js', leakyFile);
  const { stderr } = await stage.run('POOLGUARD_DEBUG=verdicts npx poolguard lint src');
  expect(stderr.replaceAll(stage.folder, '/home/ada/shop').trim()).toBe(text.trim());
}

/** A flat configuration: ESLint accepts it, options included, and it reports where it has the preset. */
export async function configuresEslint({ text }: Unit, stage: Stage): Promise<void> {
  const plugin = text.includes('import poolguard')
    ? ''
    : "import poolguard from 'eslint-plugin-poolguard';\n";
  const whole =
    plugin === ''
      ? text
      : `${plugin}${text.replace('export default [', 'export default [\n  poolguard.configs.recommended,')}`;
  await acceptedByEslint(whole, stage);
}

/** The rules of a configuration as JSON. */
export async function configuresRules({ text }: Unit, stage: Stage): Promise<void> {
  const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
  await acceptedByEslint(
    `import poolguard from 'eslint-plugin-poolguard';\nexport default [poolguard.configs.recommended, { rules: ${JSON.stringify(value['rules'] ?? value)} }];\n`,
    stage,
  );
}

async function acceptedByEslint(configuration: string, stage: Stage): Promise<void> {
  const name = `config-${configuration.length}.mjs`;
  await stage.write(name, configuration);
  const eslint = new ESLint({ cwd: stage.folder, overrideConfigFile: join(stage.folder, name) });
  const [result] = await eslint.lintText(
    "import pg from 'pg';\nconst pool = new pg.Pool();\nexport async function leak() {\n  const client = await pool.connect();\n  return client.processID;\n}\n",
    { filePath: 'leak.js' },
  );
  expect(result?.messages.map(({ ruleId }) => ruleId)).toContain(leakRule);
}

export async function configuresOxlint({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write('.oxlintrc.json', text);
  await stage.write('src/orders.js', leakyFile);
  const { stdout } = await runNode(
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=unix', 'src'],
    stage.folder,
  );
  expect(stdout.match(/no-unreleased-client/gu)).toHaveLength(1);
}

/** Every key is a setting, and every value one that it takes. */
export function areSettings({ text }: Unit): void {
  const all: Readonly<Record<string, Setting<unknown>>> = settings;
  for (const [key, value] of Object.entries(
    JSON.parse(text) as Readonly<Record<string, unknown>>,
  )) {
    const setting = all[key.replace(/^poolguard\./u, '')];
    expect([key, setting && v.parse(setting.values, value)]).toEqual([key, value]);
  }
}

interface Served {
  readonly command: readonly string[];
  readonly options: object;
  readonly languages: readonly string[];
}

/** Not run in Neovim: it is none of the programs that tests need. The block parses, and its command is a language server that takes its options. */
export async function startsFromLua({ text }: Unit, stage: Stage): Promise<void> {
  const {
    command: [npx, name, ...args],
    options,
    languages,
  } = servedFromLua(text);
  expect([npx, name]).toEqual(['npx', 'poolguard']);
  await using client = await startTestClient(
    { file: join(root, 'dist/cli.js'), args },
    stage.folder,
    undefined,
    options,
  );
  for (const language of languages) {
    const uri = `file://${stage.folder}/${language}.js`;
    await client.open(uri, leakyFile, language);
    expect((await client.diagnostics(uri)).map(({ code }) => code)).toContain(leakRule);
  }
}

/** Not run in Helix, for the same reason. It starts what Neovim starts, and names a language of it. */
export function startsFromToml({ document, text }: Unit): void {
  const file = parseToml(text) as unknown as {
    readonly 'language-server': {
      readonly poolguard: {
        readonly command: string;
        readonly args: readonly string[];
        readonly config: object;
      };
    };
    readonly language: readonly {
      readonly name: string;
      readonly 'language-servers': readonly string[];
    }[];
  };
  const { command, args, config } = file['language-server'].poolguard;
  const neovim = servedFromLua(
    codeBlocksOf(textOf(document)).find(({ language }) => language === 'lua')?.text ?? '',
  );
  expect([[command, ...args], config]).toEqual([neovim.command, neovim.options]);
  for (const language of file.language) {
    expect(neovim.languages).toContain(language.name);
    expect(language['language-servers']).toContain('poolguard');
  }
}

function servedFromLua(text: string): Served {
  const calls = parseLua(text, { encodingMode: 'x-user-defined' }).body.map((statement) =>
    statement.type === 'CallStatement' && statement.expression.type === 'CallExpression'
      ? statement.expression
      : undefined,
  );
  expect(calls.map((call) => tableOf(call?.arguments[0]))).toEqual(['poolguard', 'poolguard']);
  const { cmd, init_options, filetypes } = tableOf(calls[0]?.arguments[1]) as {
    readonly cmd: readonly string[];
    readonly filetypes: readonly string[];
    readonly init_options: object;
  };
  return { command: cmd, options: init_options, languages: filetypes };
}

/** Values of a Lua table: a list, or an object. */
function tableOf(expression: Expression | undefined): unknown {
  if (expression?.type === 'StringLiteral') return expression.value;
  if (expression?.type === 'BooleanLiteral') return expression.value;
  const { fields } = expression as TableConstructorExpression;
  const values = fields.filter((field): field is TableValue => field.type === 'TableValue');
  if (values.length > 0) return values.map(({ value }) => tableOf(value));
  return Object.fromEntries(
    fields
      .filter((field): field is TableKeyString => field.type === 'TableKeyString')
      .map(({ key, value }) => [key.name, tableOf(value)]),
  );
}

/** In a transaction that is rolled back, with the role that it names or creates. */
export async function runsAsSql({ text }: Unit, { admin }: Stage): Promise<void> {
  const role = /\bTO (\w+)/u.exec(text)?.[1] ?? '';
  await admin.query('BEGIN');
  if (!text.includes('CREATE ROLE')) await admin.query(`CREATE ROLE ${role}`);
  await admin.query(text);
  const { rows } = await admin.query<{ may: boolean }>(
    "SELECT pg_has_role($1, 'pg_read_all_stats', 'USAGE') AS may",
    [role],
  );
  await admin.query('ROLLBACK');
  expect(rows).toEqual([{ may: true }]);
}

/** PgBouncer has been started with it; the role that it names is the one that looks into the console in the commands above. */
export function isOfPgBouncer({ text }: Unit): void {
  expect(text.trim().split('\n')).toEqual(
    Object.entries(iniSettings()).map(([name, value]) => `${name} = ${value}`),
  );
  expect(iniSettings()).toEqual({ stats_users: 'app' });
}

/** A drawing of the repository: every path in it exists. */
export function drawsWhatExists({ text }: Unit): void {
  const paths = text.match(/\b(?:rules|monitor|src)\/[\w/-]*/gu) ?? [];
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
}
