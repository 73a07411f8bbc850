import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, symlink, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createEslintConfiguration,
  type EslintConfiguration,
} from '../../../../src/server/eslint-config/configured-rules.ts';
import type { ConfiguredRules } from '../../../../src/server/host.ts';
import { isRunning } from '../../../support/is-running.ts';
import { eslints } from '../../../support/packed-plugin.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../../../..');
const bundle = join(root, 'dist/eslint-config.cjs');
const plugin =
  "const plugin = { meta: { name: 'eslint-plugin-poolguard' }, rules: { 'no-unreleased-client': { meta: { schema: false }, create: () => ({}) }, 'no-session-state': { meta: { schema: false }, create: () => ({}) } } };\n";
const simple = `${plugin}module.exports = [{ plugins: { poolguard: plugin }, rules: { 'poolguard/no-unreleased-client': 'error' } }];`;
const onlyLeaks: ConfiguredRules = {
  'poolguard/no-unreleased-client': { severity: 'error', options: [] },
};

let folder: TemporaryFolder;
let configuration: EslintConfiguration;
let said: string[];

beforeEach(async () => {
  folder = await createTemporaryFolder({ 'package.json': '{}' });
  said = [];
  configuration = start();
});
afterEach(async () => {
  configuration.dispose();
  await folder[Symbol.asyncDispose]();
});

function start(limitMs = 20_000): EslintConfiguration {
  return createEslintConfiguration({
    file: bundle,
    limitMs,
    idleMs: 60_000,
    log: (sentence) => said.push(sentence),
  });
}

async function install(version: keyof typeof eslints): Promise<void> {
  await mkdir(join(folder.path, 'node_modules'), { recursive: true });
  await symlink(eslints[version], join(folder.path, 'node_modules/eslint'), 'junction');
}

async function ask(file: string): Promise<ConfiguredRules | undefined> {
  const { known, coming } = configuration.of(join(folder.path, file), folder.path);
  return coming ?? known;
}

describe.each(['9', '10'] as const)('ESLint %s', (version) => {
  beforeEach(() => install(version));

  it('tells severities and options by file', async () => {
    const rules = `rules: { 'poolguard/no-unreleased-client': ['warn', { releasers: ['giveBack'] }], 'poolguard/no-session-state': 2, 'no-var': 'error' }`;
    await folder.write({
      'eslint.config.cjs': `${plugin}module.exports = [{ plugins: { poolguard: plugin }, ${rules} }, { files: ['test/**'], rules: { 'poolguard/no-unreleased-client': 'off' } }];`,
    });
    expect(await ask('src/a.js')).toEqual({
      'poolguard/no-unreleased-client': {
        severity: 'warn',
        options: [{ releasers: ['giveBack'] }],
      },
      'poolguard/no-session-state': { severity: 'error', options: [] },
    });
    expect(await ask('test/a.js')).toMatchObject({
      'poolguard/no-unreleased-client': { severity: 'off' },
    });
  });

  it('knows our plugin by its own name, whatever it is registered as', async () => {
    await folder.write({
      'eslint.config.cjs': `${plugin}module.exports = [{ plugins: { pg: plugin, other: { meta: { name: 'other' }, rules: plugin.rules } }, rules: { 'pg/no-session-state': 'warn', 'other/no-unreleased-client': 'error' } }];`,
    });
    expect(await ask('a.js')).toEqual({
      'poolguard/no-session-state': { severity: 'warn', options: [] },
    });
  });

  it('finds a configuration that lies in a package of the workspace', async () => {
    await folder.write({ 'packages/api/eslint.config.cjs': simple });
    expect(await ask('packages/api/src/a.js')).toEqual(onlyLeaks);
  });

  it('says nothing of a file that the configuration ignores or is not for', async () => {
    await folder.write({
      'eslint.config.cjs': simple.replace('[{', "[{ ignores: ['legacy/**'] }, {"),
    });
    expect(await ask('legacy/a.js')).toEqual({});
    expect(await ask('a.ts')).toEqual({});
  });

  it.each([
    ['throws', 'throw new Error("no such preset");', 'no such preset.'],
    ['does not parse', 'module.exports = [;', "Unexpected token ';'."],
    [
      'names a rule that is not there',
      "module.exports = [{ rules: { 'poolguard/nothing': 'error' } }];",
      undefined,
    ],
    ['ends the process', 'process.exit(0);', 'it ended the process.'],
    [
      'answers itself',
      "process.send({ kind: 'configured', rules: 7 });",
      'it sent unexpected messages to the process that started it.',
    ],
  ])(
    'a configuration that %s configures nothing, is told once, and is asked again when it changed',
    async (_, text, reason) => {
      await folder.write({ 'eslint.config.cjs': text });
      expect(await ask('a.js')).toEqual({});
      expect(await ask('b.js')).toEqual({});
      if (reason !== undefined)
        expect(said).toEqual([expect.stringContaining(`: ${reason} It is loaded again`)]);
      await folder.write({ 'eslint.config.cjs': simple });
      configuration.forgetFiles();
      expect(await ask('a.js')).toEqual(onlyLeaks);
    },
  );
});

describe('an answer', () => {
  beforeEach(() => install('10'));

  it('is known at once the second time, and holds until a changed configuration has answered', async () => {
    await folder.write({ 'eslint.config.cjs': simple });
    const path = join(folder.path, 'a.js');
    const first = configuration.of(path, folder.path);
    expect(first.known).toBeUndefined();
    await first.coming;
    expect(configuration.of(path, folder.path)).toEqual({ known: onlyLeaks });
    configuration.forgetFiles();
    expect(configuration.of(path, folder.path)).toEqual({ known: onlyLeaks });
    await folder.write({ 'eslint.config.cjs': simple.replace("'error'", "'off'") });
    configuration.forgetFiles();
    const changed = configuration.of(path, folder.path);
    expect(changed.known).toEqual(onlyLeaks);
    expect(await changed.coming).toEqual({
      'poolguard/no-unreleased-client': { severity: 'off', options: [] },
    });
  });

  it('follows a file that the configuration imports', async () => {
    await folder.write({
      'eslint.config.cjs': "module.exports = [require('./shared/lint.cjs')];",
      'shared/lint.cjs': `${plugin}module.exports = { plugins: { poolguard: plugin }, rules: { 'poolguard/no-unreleased-client': 'error' } };`,
    });
    expect(await ask('a.js')).toEqual(onlyLeaks);
    await folder.write({ 'shared/lint.cjs': 'module.exports = {};' });
    await utimes(join(folder.path, 'shared/lint.cjs'), new Date(), new Date(Date.now() + 5000));
    configuration.forgetFiles();
    expect(await ask('a.js')).toEqual({});
  });

  it.each([
    ['without end', 'for (;;);'],
    [
      'for what never comes',
      'export default await new Promise(() => setInterval(() => {}, 1000));',
    ],
  ])(
    'is given up when the configuration runs %s, and the next folder is heard',
    async (_, text) => {
      configuration = start(3000);
      await folder.write({ 'stuck/eslint.config.mjs': text, 'eslint.config.cjs': simple });
      const [stuck, fine] = await Promise.all([ask('stuck/a.js'), ask('a.js')]);
      // ESLint looks from the file upwards, so the nearest configuration counts.
      expect([stuck, fine]).toEqual([{}, onlyLeaks]);
      expect(said).toEqual([expect.stringContaining('it took longer than 3 s')]);
      expect(configuration.of(join(folder.path, 'stuck/b.js'), folder.path)).toEqual({ known: {} });
    },
  );
});

describe('no process starts', () => {
  const marker =
    "require('node:fs').writeFileSync(require('node:path').join(__dirname, 'ran'), ''); module.exports = [];";

  it('without a configuration', async () => {
    await install('10');
    expect(configuration.of(join(folder.path, 'a.js'), folder.path)).toEqual({ known: {} });
  });

  it('without an installed ESLint', async () => {
    await folder.write({ 'eslint.config.cjs': marker });
    expect(configuration.of(join(folder.path, 'a.js'), folder.path)).toEqual({ known: {} });
    expect(existsSync(join(folder.path, 'ran'))).toBe(false);
  });
});

describe('nothing is left behind', () => {
  let asker: TemporaryFolder;
  beforeAll(async () => {
    asker = await createTemporaryFolder();
  });
  afterAll(() => asker[Symbol.asyncDispose]());

  it('when whoever asks is killed while a configuration runs without end', async () => {
    await install('10');
    await folder.write({
      'eslint.config.mjs':
        "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./pid', import.meta.url), String(process.pid));\nprocess.send(0);\nfor (;;);",
    });
    // Stands for the server: it forks the bundle as the server does, and dies without a word.
    await asker.write({
      'ask.mjs': `import { fork } from 'node:child_process';\nconst child = fork(${JSON.stringify(bundle)}, [], { execArgv: [], stdio: ['pipe', 'ignore', 'ignore', 'ipc'] });\nchild.send({ paths: [${JSON.stringify(join(folder.path, 'a.js'))}], folder: ${JSON.stringify(folder.path)} });\nchild.once('message', () => process.stdout.write(String(child.pid)));`,
    });
    const parent = spawn(process.execPath, [join(asker.path, 'ask.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(chunk.toString());
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
