import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addLintCommand } from '../../../../src/cli/lint/lint.ts';
import { poolguardRules } from '../../../../src/lint/known-rules.ts';
import { poolguard } from '../../../../src/lint/analyser.ts';
import { runInProcess } from '../../../support/cli-run.ts';
import { rulesOf } from '../../../support/rules-of.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const leak = `import { Pool } from 'pg';
const pool = new Pool({ connectionTimeoutMillis: 5_000 });
pool.on('error', () => {});
export async function run() {
  const client = await pool.connect();
  await client.query('SELECT 1');
}
`;
const rule = 'poolguard/no-unreleased-client';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await createTemporaryFolder({ 'package.json': '{ "type": "module" }', '.git/HEAD': '' });
});
afterEach(() => folder[Symbol.asyncDispose]());

async function lint(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  cwd = '.',
) {
  await folder.write(files);
  const run = await runInProcess(['lint', '--format', 'json', ...args], {
    cwd: join(folder.path, cwd),
    commands: [
      (program, io) => {
        const { loadCheck } = rulesOf(poolguard);
        addLintCommand(program, io, { known: poolguardRules, loadCheck });
      },
    ],
  });
  const results = run.stdout === '' ? [] : (JSON.parse(run.stdout) as Result[]);
  const found = results.flatMap(({ filePath, messages }) =>
    messages.map(
      ({ severity }) =>
        `${filePath.slice(folder.path.length + 1).replaceAll('\\', '/')} ${severity}`,
    ),
  );
  return { code: run.code, stderr: run.stderr, found };
}

interface Result {
  readonly filePath: string;
  readonly messages: readonly { readonly severity: number }[];
}

const exported = (value: unknown) => `export default ${JSON.stringify(value)};\n`;
const warning = { rules: { 'no-unreleased-client': 'warn' } };

describe('poolguard.config', () => {
  it.each([
    ['poolguard.config.js', exported(warning)],
    ['poolguard.config.mjs', exported(warning)],
    ['poolguard.config.cjs', `module.exports = ${JSON.stringify(warning)};\n`],
    ['poolguard.config.json', JSON.stringify({ rules: { [rule]: 1 } })],
  ])('sets rules in %s, from the root of the repository on', async (name, text) => {
    expect(await lint({ [name]: text, 'a/b/c.js': leak }, [], 'a/b')).toEqual({
      code: 0,
      stderr: '',
      found: ['a/b/c.js 1'],
    });
  });

  it('sets how many warnings are allowed, and the command line has the last word', async () => {
    const files = { 'poolguard.config.js': exported({ ...warning, maxWarnings: 0 }), 'a.js': leak };
    expect(await lint(files)).toEqual({
      code: 1,
      stderr: 'Poolguard found too many warnings: 1, at most 0 are allowed.\n',
      found: ['a.js 1'],
    });
    expect(await lint({}, ['--max-warnings', '1'])).toMatchObject({ code: 0 });
    expect(await lint({}, ['--rule', 'no-unreleased-client: off'])).toMatchObject({ found: [] });
    expect(await lint({}, ['--no-config'])).toMatchObject({ code: 1, found: ['a.js 2'] });
  });

  it('leaves out files by patterns from its own folder', async () => {
    const files = {
      'poolguard.config.js': exported({ ignores: ['**/*.test.js', 'tools'] }),
      'src/a.js': leak,
      'src/a.test.js': leak,
      'tools/b.js': leak,
    };
    expect((await lint(files)).found).toEqual(['src/a.js 2']);
    expect((await lint(files, [], 'src')).found).toEqual(['src/a.js 2']);
    expect(await lint(files, ['tools'])).toMatchObject({
      code: 2,
      stderr:
        'There is no JavaScript or TypeScript file to check in tools (ignored files and build output do not count).\n',
    });
  });

  it('begins with its preset, or the one that is typed', async () => {
    const files = {
      'poolguard.config.js': exported({ preset: 'strict', ...warning }),
      'a.js': leak,
    };
    expect((await lint(files)).found).toEqual(['a.js 1']);
    expect((await lint(files, ['--preset', 'recommended'])).found).toEqual(['a.js 1']);
  });

  it('may be named, wherever it lies', async () => {
    const files = { 'tools/lint.mjs': exported(warning), 'a.js': leak };
    expect((await lint(files, ['--config', 'tools/lint.mjs', 'a.js'])).found).toEqual(['a.js 1']);
  });

  it.each<[unknown, string]>([
    [{ preset: 'strictest' }, 'preset is not one of recommended, strict, transaction-pooling.'],
    [{ rule: {} }, 'rule is not known.'],
    [[], 'it is not an object.'],
    [{ ignores: ['a', 1] }, 'ignores[1] is not a string.'],
    [{ ignores: ['*a'.repeat(501)] }, 'ignores[0] is too long.'],
    [{ maxWarnings: -1 }, 'maxWarnings is too small.'],
    [{ pooler: 'pgbouncer:fast' }, 'pooler: Use kind[:mode[:version]], '],
    [
      { rules: { 'no-unreleased-clients': 'off' } },
      'there is no rule no-unreleased-clients. Did you mean no-unreleased-client? ',
    ],
    [{ rules: { 'no-double-release': 'fatal' } }, 'poolguard/no-double-release has no severity. '],
    [
      { rules: { 'no-session-state': ['error', { allow: 'set' }] } },
      'the options of poolguard/no-session-state are not valid: allow is not a list.',
    ],
  ])('%j is refused with its place', async (value, sentence) => {
    const { code, stderr } = await lint({ 'poolguard.config.js': exported(value), 'a.js': leak });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(`^poolguard\\.config\\.js: ${escaped(sentence)}`),
    ]);
  });

  it.each([
    ['poolguard.config.js', 'throw new Error("no.\\nAt all");', 'no.'],
    ['poolguard.config.json', '{', expect.stringMatching(/JSON/u)],
  ])('says why %s cannot be loaded', async (name, text, why) => {
    const { code, stderr } = await lint({ [name]: text, 'a.js': leak });
    expect(code).toBe(2);
    expect(stderr.replace(`${name} cannot be loaded: `, '').trim()).toEqual(why);
  });

  it('must be there where it is named', async () => {
    expect(await lint({ 'a.js': leak }, ['--config', 'none.mjs'])).toMatchObject({
      code: 2,
      stderr: '--config: none.mjs does not exist.\n',
    });
  });

  it('is not looked for above the repository', async () => {
    await writeFile(join(folder.path, 'poolguard.config.json'), '{ "preset": "strictest" }');
    expect(await lint({ 'inner/.git/HEAD': '', 'inner/a.js': leak }, [], 'inner')).toMatchObject({
      found: ['inner/a.js 2'],
    });
  });
});

it('--print-config tells what applies to a file, and from where', async () => {
  await folder.write({
    'poolguard.config.js': exported({
      preset: 'strict',
      rules: { 'no-session-state': ['warn', { allow: ['set'] }] },
      ignores: ['b.js'],
      maxWarnings: 3,
      pooler: 'pgbouncer:transaction:1.21',
    }),
  });
  const printed = async (...args: string[]) => {
    const { stdout } = await runInProcess(['lint', '--print-config', ...args], {
      cwd: folder.path,
    });
    return JSON.parse(stdout) as { rules: Record<string, unknown> };
  };
  const configuration = join(folder.path, 'poolguard.config.js');
  expect(await printed('a.js', '--rule', 'no-double-release: off')).toMatchObject({
    file: join(folder.path, 'a.js'),
    configuration,
    isLinted: true,
    rules: {
      'poolguard/no-session-state': ['warn', { allow: ['set'] }],
      'poolguard/no-double-release': ['off'],
      'poolguard/no-unreleased-client': ['error'],
    },
    settings: {
      poolguard: { pooler: { kind: 'pgbouncer', mode: 'transaction', version: '1.21' } },
    },
    maxWarnings: 3,
  });
  expect(await printed('b.js')).toMatchObject({ configuration, isLinted: false, rules: {} });
  expect(await printed('b.js', '--no-config')).toMatchObject({
    configuration: null,
    isLinted: true,
  });
});

function escaped(sentence: string): string {
  return sentence.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}

it('with a cache, what is kept counts for its configuration only', async () => {
  const past = new Date(Date.now() - 60_000);
  await folder.write({ 'a.js': leak, 'poolguard.config.json': JSON.stringify(warning) });
  await utimes(join(folder.path, 'a.js'), past, past);
  expect((await lint({}, ['--cache'])).found).toEqual(['a.js 1']);
  expect((await lint({}, ['--cache'])).found).toEqual(['a.js 1']);
  expect((await lint({ 'poolguard.config.json': '{}' }, ['--cache'])).found).toEqual(['a.js 2']);
});
