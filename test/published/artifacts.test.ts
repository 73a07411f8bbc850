import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Range } from 'vscode-languageserver/node';
import {
  artifacts,
  artifactNamed,
  compareContents,
  noticeFile,
} from '../../scripts/published/artifacts.ts';
import { bundledPackagesOf } from '../../scripts/published/bundled-packages.ts';
import { packedPath, readPacked } from '../../scripts/published/pack.ts';
import { bundledIn, objectionTo } from '../../scripts/published/sbom.ts';
import { scanFiles, type PackedFiles } from '../../scripts/published/scan.ts';
import { startTestClient } from '../support/language-client.ts';
import { packedArtifacts } from '../support/packed-artifacts.ts';
import { modules } from '../support/packed-plugin.ts';
import { runNode, runProgram, type Finished } from '../support/run-process.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const home = 'https://github.com/poolguard/poolguard';
const npmPackages = artifacts.filter(({ kind }) => kind === 'npm');

let folder: string;
let checked: Finished;
const packed = new Map<string, PackedFiles>();

beforeAll(async () => {
  ({ folder, checked } = await packedArtifacts());
  for (const artifact of artifacts)
    packed.set(artifact.name, await readPacked(artifact, packedPath(artifact, root, folder)));
}, 240_000);

const filesOf = (name: string): PackedFiles => packed.get(name) ?? new Map<string, Buffer>();
const textOf = (name: string, path: string): string =>
  filesOf(name).get(path)?.toString('utf8') ?? '';
const manifestOf = (name: string): Readonly<Record<string, unknown>> =>
  JSON.parse(textOf(name, 'package.json')) as Readonly<Record<string, unknown>>;

test('`npm run release:check` packs everything with bills of materials and sums, and finds nothing to object to', () => {
  expect([checked.code, checked.stderr]).toEqual([0, '']);
  // What vsce would ask a publisher about.
  expect(checked.stdout).not.toMatch(/warning|error/iu);
  const paths = artifacts.flatMap((artifact) => [
    packedPath(artifact, root, ''),
    `${packedPath(artifact, root, '')}.cdx.json`,
  ]);
  expect(readdirSync(folder).sort()).toEqual([...paths, 'SHA256SUMS', 'release-notes.md'].sort());
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  expect(sums).toEqual(
    paths.map(
      (path) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}  ${path}`,
    ),
  );
  expect(readFileSync(join(folder, 'release-notes.md'), 'utf8').length).toBeGreaterThan(100);
});

describe.each(artifacts)('$name', (artifact) => {
  const { name, kind } = artifact;

  test('holds what is listed, and nothing that should not leave this machine', () => {
    expect(compareContents(artifact, [...filesOf(name).keys()])).toEqual([]);
    expect(scanFiles(name, filesOf(name))).toEqual([]);
    expect([...filesOf(name).values()].filter((bytes) => bytes.includes(root))).toEqual([]);
  });

  test('says whose it is, and where to look and to complain', () => {
    const manifest = manifestOf(name);
    expect(manifest).toMatchObject({
      license: 'MIT',
      author: { name: expect.any(String) as string },
      repository: { type: 'git', url: `git+${home}.git` },
      bugs: { url: `${home}/issues` },
    });
    expect(manifest['homepage']).toMatch(new RegExp(`^${home}.*#readme$`, 'u'));
    expect((manifest['keywords'] as readonly string[]).length).toBeGreaterThan(4);
    expect(kind === 'npm' ? manifest['publishConfig'] : manifest['pricing']).toEqual(
      kind === 'npm' ? { access: 'public', provenance: true } : 'Free',
    );
    expect(Object.keys(manifest)).not.toContain('private');
  });

  test('names every package that it bundles in its notice, with version and licence', () => {
    const packages = bundledPackagesOf(artifact, root);
    const notice = textOf(name, noticeFile);
    expect(packages.length > 0).toBe(notice !== '');
    for (const each of packages) {
      const entry =
        notice
          .split(/^-{78}$/mu)
          .find((part) => part.startsWith(`\n\n${each.name} ${each.version}\n`)) ?? '';
      expect(entry, each.name).toContain(
        `Licence: ${each.license}\nIn: ${each.bundles.join(', ')}\n`,
      );
      expect(entry, each.name).toMatch(/copyright|permission|redistribution/iu);
      expect(entry.length, each.name).toBeGreaterThan(400);
    }
    const holdsParser = filesOf(name).has('dist/libpg-query.wasm');
    expect(
      notice.includes('Portions Copyright (c) 1994, The Regents of the University of California'),
    ).toBe(holdsParser);
    expect(notice.includes('Yann Collet')).toBe(holdsParser);
  });

  test('has a bill of materials with every package that it bundles, and makes npm install none', async () => {
    const text = readFileSync(`${packedPath(artifact, root, folder)}.cdx.json`, 'utf8');
    expect(await objectionTo(text)).toBeUndefined();
    const { components } = JSON.parse(text) as {
      components: readonly {
        group?: string;
        name: string;
        version: string;
        licenses?: readonly unknown[];
        properties?: readonly { name: string }[];
      }[];
    };
    const listed = components.map(
      ({ group, name: plain, version }) =>
        `${group === undefined ? '' : `${group}/`}${plain}@${version}`,
    );
    expect(listed.sort()).toEqual(
      bundledPackagesOf(artifact, root)
        .map((each) => `${each.name}@${each.version}`)
        .sort(),
    );
    expect(
      components.filter(
        ({ properties = [] }) => !properties.some((each) => each.name === bundledIn),
      ),
    ).toEqual([]);
    expect(manifestOf(name)).not.toHaveProperty('dependencies');
    expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
  });
});

describe.each(npmPackages)('as a package of npm, $name', (artifact) => {
  const tarball = (): string => packedPath(artifact, root, folder);

  test('is found faultless by publint', async () => {
    const { stdout, code } = await runNode(
      [join(modules, 'publint/src/cli.js'), '--strict', tarball()],
      root,
    );
    expect([stdout.includes('All good!'), code]).toEqual([true, 0]);
  });

  test('has types where it can be imported', async () => {
    // Only Node versions that we do not support know neither `exports` nor `require` of an ES module.
    const profile = artifact.name === 'poolguard-monitor' ? 'node16' : 'esm-only';
    const { stdout, code } = await runNode(
      [
        join(modules, '@arethetypeswrong/cli/dist/index.js'),
        '--profile',
        profile,
        '--no-color',
        '--no-emoji',
        '--format',
        'ascii',
        tarball(),
      ],
      root,
    );
    expect(code, stdout).toBe(0);
    // The command cannot be imported, so that it has no types to be wrong.
    expect(stdout.includes('This package does not contain types.')).toBe(
      artifact.name === 'poolguard',
    );
  });

  test('links in its README lead somewhere', () => {
    const readme = textOf(artifact.name, 'README.md');
    const links = [...readme.matchAll(/\]\((?<to>[^)#\s]+)/gu)]
      .map(({ groups }) => groups?.['to'] ?? '')
      .filter((to) => !to.includes('://'));
    // npm's page looks for them in the repository, in the folder that the manifest names.
    expect(links.filter((to) => !existsSync(join(root, artifact.folder, to)))).toEqual([]);
    expect(manifestOf(artifact.name)['repository']).toMatchObject(
      artifact.folder === '.' ? {} : { directory: artifact.folder },
    );
  });
});

test('the README of the extension has absolute links only, to files of the repository', () => {
  const readme = textOf('Poolguard for VS Code', 'README.md');
  const links = [...readme.matchAll(/\]\((?<to>[^)\s]+)/gu)]
    .map(({ groups }) => groups?.['to'] ?? '')
    .filter((to) => !to.startsWith('#'));
  expect(links.filter((to) => !to.startsWith('https://'))).toEqual([]);
  expect(links).toContain(`${home}/raw/HEAD/media/editor.png`);
  const ours = links
    .filter((to) => to.startsWith(`${home}/`))
    .map((to) => to.replace(/^.*\/HEAD\//u, '').replace(/#.*$/u, ''));
  expect(ours.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('npm would take each package', async () => {
  const { code, stderr, stdout } = await runNode(
    [
      '--import',
      'tsx',
      'scripts/published/main.ts',
      'publish',
      'npm',
      '--dry-run',
      '--into',
      folder,
    ],
    root,
  );
  expect(code, stderr).toBe(0);
  for (const { name } of npmPackages) expect(stdout).toMatch(new RegExp(`^\\+ ${name}@`, 'mu'));
}, 240_000);

test('the repository itself cannot be published by mistake', () => {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { private: boolean };
  expect(own.private).toBe(true);
  expect(manifestOf('poolguard')).not.toHaveProperty('contributes');
  expect(manifestOf('poolguard')['exports']).toEqual({ './package.json': './package.json' });
});

describe('installed by npm into an empty folder', () => {
  const leak =
    "import { Pool } from 'pg';\nexport const pool = new Pool({ max: 3 });\npool.on('error', () => undefined);\nexport async function look() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";
  const sources = {
    'package.json': '{ "name": "shop", "private": true, "type": "module" }',
    'leak.js': leak,
    'broken.ts': "import 'pg';\nconst a = {;",
    'sound.js': leak.replace('const client = await pool.connect();\n  await client', 'await pool'),
  };
  const withConfiguration = {
    ...sources,
    'eslint.config.js':
      "import poolguard from 'eslint-plugin-poolguard';\n\nexport default [poolguard.configs.recommended];\n",
    '.oxlintrc.json':
      '{ "jsPlugins": ["eslint-plugin-poolguard"], "rules": { "poolguard/no-unreleased-client": "error" } }',
  };
  const homes = new Map<string, TemporaryFolder>();
  const at = (version: string): string => homes.get(version)?.path ?? '';
  const npx = (version: string, ...args: readonly string[]): Promise<Finished> =>
    runProgram('npx', ['--no-install', ...args], at(version), { npm_config_loglevel: 'error' });
  /** What `npx` starts, without what that itself takes. */
  const bin = (version: string, name: string, ...args: readonly string[]): Promise<Finished> =>
    runProgram(join(at(version), 'node_modules/.bin', name), args, at(version));

  beforeAll(async () => {
    const tarball = (name: string): string => packedPath(artifactNamed(name), root, folder);
    const wanted: Readonly<Record<string, readonly string[]>> = {
      alone: [tarball('poolguard')],
      '9': ['eslint@9', 'oxlint', tarball('eslint-plugin-poolguard')],
      '10': ['eslint@10', tarball('eslint-plugin-poolguard'), tarball('poolguard-monitor')],
    };
    for (const [version, packages] of Object.entries(wanted)) {
      const home = await createTemporaryFolder(version === 'alone' ? sources : withConfiguration);
      homes.set(version, home);
      const { code, stderr } = await runProgram(
        'npm',
        ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages],
        home.path,
      );
      expect(code, stderr).toBe(0);
    }
  }, 240_000);
  afterAll(() => Promise.all([...homes.values()].map((home) => home[Symbol.asyncDispose]())));

  test('the command brings no other package', () => {
    const { packages } = JSON.parse(
      readFileSync(join(at('alone'), 'node_modules/.package-lock.json'), 'utf8'),
    ) as { packages: object };
    expect(Object.keys(packages)).toEqual(['node_modules/poolguard']);
  });

  test('the command finds the leak, and ends with 1 for findings and 0 for none', async () => {
    const leaky = await npx('alone', 'poolguard', 'lint', 'leak.js');
    expect([leaky.code, leaky.stdout]).toEqual([
      1,
      expect.stringMatching(/5:24 +error .*poolguard\/no-unreleased-client/u),
    ]);
    const sound = await bin('alone', 'poolguard', 'lint', 'sound.js');
    expect([sound.code, sound.stderr]).toEqual([0, '']);
  });

  test.each([
    ['lint', '--help'],
    ['activity', '--help'],
    ['probe', '--help'],
    ['sweep', '--help'],
  ])('`poolguard %s %s` explains itself', async (...args) => {
    const { code, stdout, stderr } = await bin('alone', 'poolguard', ...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: poolguard');
  });

  test('the command says what is wrong in a sentence, and ends with 2', async () => {
    const { code, stderr, stdout } = await bin(
      'alone',
      'poolguard',
      'probe',
      'postgres://app:hunter2@127.0.0.1:1/shop',
      '--yes',
    );
    expect(`${stdout}${stderr}`).not.toMatch(/hunter2|^ +at /mu);
    expect([code, stderr !== '']).toEqual([2, true]);
  });

  test('its language server reports the leak, and offers to fix it', async () => {
    await using client = await startTestClient(
      { file: join(at('alone'), 'node_modules/poolguard/dist/cli.js'), args: ['lsp', '--stdio'] },
      at('alone'),
    );
    const uri = pathToFileURL(join(at('alone'), 'leak.js')).href;
    await client.open(uri, leak, 'javascript');
    const found = await client.diagnostics(uri);
    expect(found.map(({ code }) => code)).toEqual(['poolguard/no-unreleased-client']);
    const [range] = found.map((each) => each.range) as [Range];
    const actions = await client.codeActions(uri, range);
    expect(actions.map(({ kind }) => kind)).toContain('quickfix');
  });

  test('the command says in the words of TypeScript why a file does not parse', async () => {
    const { stdout } = await bin('alone', 'poolguard', 'lint', 'broken.ts');
    expect(stdout).toContain('The file was not checked because of a syntax error: ');
  });

  test('the command cannot be imported', async () => {
    const { code, stderr } = await runProgram(
      process.execPath,
      ['--input-type=module', '--eval', "await import('poolguard')"],
      at('alone'),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED')]);
  });

  test('the monitor is loaded by its name', async () => {
    const { code, stderr, stdout } = await runProgram(
      process.execPath,
      [
        '--import',
        'poolguard-monitor/register',
        '--input-type=module',
        '--eval',
        "console.log(typeof (await import('poolguard-monitor')).watchPool)",
      ],
      at('10'),
    );
    expect([code, stderr, stdout]).toEqual([0, '', 'function\n']);
  });

  test.each(['9', '10'])('ESLint %s reports the leak', async (version) => {
    const { stdout } = await bin(version, 'eslint', '--version');
    expect(stdout).toMatch(new RegExp(`^v${version}\\.`, 'u'));
    const found = await bin(version, 'eslint', 'leak.js', 'sound.js');
    expect([found.code, found.stdout.match(/poolguard\/[\w-]+/gu)]).toEqual([
      1,
      ['poolguard/no-unreleased-client'],
    ]);
  });

  test('oxlint reports the leak', async () => {
    const { code, stdout } = await bin('9', 'oxlint', 'leak.js', 'sound.js');
    expect([code, stdout.match(/poolguard\([\w-]+\)/gu)]).toEqual([
      1,
      ['poolguard(no-unreleased-client)'],
    ]);
  });
});
