import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { artifacts, compareContents, type Artifact } from '../../scripts/published/artifacts.ts';
import { installedInputs } from '../../scripts/published/bundled-packages.ts';
import {
  embeddedParts,
  embeddedText,
  licenceTexts,
  objectionTo,
} from '../../scripts/published/licences.ts';
import { noticeOf } from '../../scripts/published/notice.ts';
import { commandsFor, places } from '../../scripts/published/publish.ts';
import { scanFiles } from '../../scripts/published/scan.ts';
import { objectionTo as schemaObjectionTo } from '../../scripts/published/sbom.ts';
import { changelogSection, checkVersions } from '../../scripts/published/versions.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');

describe('contents', () => {
  test.each(artifacts)('of $name are told once each, with a reason', ({ files }) => {
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    expect(files.filter(({ why }) => why.length < 8)).toEqual([]);
  });

  test('are refused when a file is too much or missing', () => {
    const artifact: Artifact = {
      name: 'shop',
      kind: 'npm',
      folder: '.',
      files: [
        { path: 'a.js', why: 'the code' },
        { path: 'b.js', why: 'the rest' },
      ],
    };
    expect(compareContents(artifact, ['a.js', 'b.js'])).toEqual([]);
    expect(compareContents(artifact, ['a.js', '.env'])).toEqual([
      'shop holds .env, for which scripts/published/artifacts.ts gives no reason.',
      'shop lacks b.js.',
    ]);
  });
});

describe('the scan refuses', () => {
  const scan = (path: string, contents: string | Buffer): readonly string[] =>
    scanFiles('shop', new Map([[path, Buffer.from(contents as string)]]));
  const token = 'a1'.repeat(18);

  test.each([
    [
      'a password in a connection string',
      'dist/a.js',
      'connect("postgres://app:hunter2@db.example.com/shop")',
      'connection string with a password',
    ],
    ["a token of npm's", 'dist/a.js', `const t = "npm_${token}";`, 'a token of npm'],
    ["a token of GitHub's", 'README.md', `ghp_${token}`, 'a token of npm, GitHub'],
    [
      'a private key',
      'dist/a.js',
      `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}`,
      'a private key',
    ],
    [
      'a path of the build machine',
      'dist/a.js',
      '// from /home/runner/work/shop/a.ts',
      'a path of the machine',
    ],
    ['a registry', 'dist/a.js', '//npm.pkg.example/:_authToken=1', 'a registry'],
    [
      'a source map by its comment',
      'dist/a.js',
      'f();\n//# sourceMappingURL=a.js.map',
      'a source map',
    ],
    ['a source map', 'dist/a.js.map', '{}', 'of a kind that is not published'],
    ['an installed package', 'node_modules/pg/index.js', '', 'of a kind that is not published'],
    ['a source file', 'src/a.ts', '', 'of a kind that is not published'],
    ['settings', '.env', '', 'of a kind that is not published'],
    ['a native binary by its name', 'dist/pg.node', '', 'of a kind that is not published'],
    [
      'a native binary by its first bytes',
      'dist/a.js',
      Buffer.from('7f454c4602010100', 'hex'),
      'is a native binary',
    ],
  ])('%s', (_what, path, contents, expected) => {
    expect(scan(path, contents)).toEqual([expect.stringContaining(expected)]);
    expect(scan(path, contents).join('')).not.toContain(token);
  });

  test.each([
    'postgres://app:secret@localhost/shop',
    'postgres://${user}:${password}@host/db',
    'see https://example.com/home/about',
    'index.d.ts holds /etc/hosts',
  ])('nothing in %s', (text) => {
    expect(scan('README.md', text)).toEqual([]);
  });
});

describe('a bundled package', () => {
  test('counts when a byte of it came into the bundle, and where it is nested', () => {
    const inputs = {
      'node_modules/used/a.js': { bytesInOutput: 3 },
      'node_modules/left/a.js': { bytesInOutput: 0 },
      'node_modules/one/node_modules/@scope/two/b.js': { bytesInOutput: 1 },
      'src/a.ts': { bytesInOutput: 9 },
    };
    const metafile: Metafile = {
      inputs: {},
      outputs: { 'dist/a.js': { bytes: 13, inputs, imports: [], exports: [] } },
    };
    expect(installedInputs(metafile)).toEqual([
      'node_modules/one/node_modules/@scope/two',
      'node_modules/used',
    ]);
  });

  test.each(['MIT', 'ISC', '(MIT OR GPL-3.0-only)', 'BSD-2-Clause AND Apache-2.0'])(
    'may stand under %s',
    (license) => {
      expect(objectionTo({ name: 'a', version: '1.0.0', license })).toBeUndefined();
    },
  );

  test.each(['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'unknown', 'SEE LICENSE IN EULA.md', ''])(
    'may not stand under "%s"',
    (license) => {
      expect(objectionTo({ name: 'a', version: '1.0.0', license })).toMatch(
        /^a 1\.0\.0 is bundled, and its licence/u,
      );
    },
  );

  const artifact: Artifact = {
    name: 'shop',
    kind: 'npm',
    folder: '.',
    files: [{ path: 'dist/a.js', why: 'the code' }],
  };
  const built = (license: string, more: Readonly<Record<string, string>>) =>
    createTemporaryFolder({
      'dist/metafiles/dist__a.js.json': JSON.stringify({
        inputs: {},
        outputs: {
          'dist/a.js': {
            bytes: 1,
            imports: [],
            exports: [],
            inputs: { 'node_modules/left-pad/index.js': { bytesInOutput: 1 } },
          },
        },
      }),
      'node_modules/left-pad/package.json': JSON.stringify({
        name: 'left-pad',
        version: '1.3.0',
        license,
      }),
      ...more,
    });

  test('is in the notice with its text, from a file or from its README', async () => {
    await using fromFile = await built('MIT', {
      'node_modules/left-pad/COPYING': 'Permission is granted.',
    });
    expect(noticeOf(artifact, fromFile.path)).toMatch(
      /left-pad 1\.3\.0\nLicence: MIT\nIn: dist\/a\.js\n\nPermission is granted\./u,
    );
    await using fromReadme = await built('MIT', {
      'node_modules/left-pad/README.md':
        '# left-pad\n\n## License\n\nCopyright (c) 2020 Somebody\n\n## Thanks\n\nto all',
    });
    expect(noticeOf(artifact, fromReadme.path)).toContain('Copyright (c) 2020 Somebody\n');
    expect(noticeOf(artifact, fromReadme.path)).not.toContain('Thanks');
  });

  test('stops the packing without a licence text, or under a licence that is not allowed', async () => {
    await using without = await built('MIT', { 'node_modules/left-pad/README.md': '# left-pad' });
    expect(() => noticeOf(artifact, without.path)).toThrow(
      'left-pad 1.3.0 is bundled and has no licence text',
    );
    await using forbidden = await built('GPL-2.0-only', { 'node_modules/left-pad/LICENSE': 'GNU' });
    expect(() => noticeOf(artifact, forbidden.path)).toThrow(
      'its licence "GPL-2.0-only" is not among those',
    );
    await using unbuilt = await createTemporaryFolder();
    expect(() => noticeOf(artifact, unbuilt.path)).toThrow(
      'What is in dist/a.js is not known: run `npm run build` first.',
    );
  });

  test('tells the licences of the parts inside of it', () => {
    const wasm = embeddedParts.map(embeddedText);
    expect(wasm.map((text) => /^(?:Portions )?Copyright/u.test(text) && text.length > 700)).toEqual(
      [true, true, true, true],
    );
    expect(wasm.join()).not.toContain('<year>');
    expect(
      licenceTexts(
        { name: 'libpg-query', version: '', folder: 'node_modules/libpg-query' },
        root,
      ).join(),
    ).not.toContain('Regents');
  });
});

test('a bill of materials that does not meet the schema is refused', async () => {
  expect(
    await schemaObjectionTo(
      '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[{"type":"fruit","name":"pear"}]}',
    ),
  ).toContain('type');
});

describe('versions', () => {
  const manifest = (version: string): string => JSON.stringify({ version });
  const repository = (change: Readonly<Record<string, string>> = {}) =>
    createTemporaryFolder({
      'package.json': manifest('1.2.3'),
      'rules/package.json': manifest('1.2.3'),
      'monitor/package.json': manifest('1.2.3'),
      'package-lock.json': JSON.stringify({
        packages: {
          '': { version: '1.2.3' },
          rules: { version: '1.2.3' },
          monitor: { version: '1.2.3' },
        },
      }),
      'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n- New.\n',
      ...change,
    });

  test('of this repository agree', () => {
    expect(checkVersions(root)).toEqual([]);
  });

  test('and tag and changelog agree for a release', async () => {
    await using sound = await repository();
    expect(checkVersions(sound.path, 'v1.2.3', true)).toEqual([]);
    await using mixed = await repository({ 'monitor/package.json': manifest('1.2.2') });
    expect(checkVersions(mixed.path, 'v1.3.0', true)).toEqual([
      'The version in monitor/package.json is 1.2.2, and in package.json 1.2.3: change them together.',
      'The tag is v1.3.0 and the version 1.2.3: the tag must be v1.2.3.',
    ]);
    await using unwritten = await repository({
      'CHANGELOG.md': '## [Unreleased]\n\n- New.\n\n## [1.2.3]\n\n## [1.2.2]\n\n- Old.\n',
    });
    expect(checkVersions(unwritten.path, 'v1.2.3', true)).toEqual([
      'CHANGELOG.md has no section ## [1.2.3] with lines in it.',
      'CHANGELOG.md still has lines under [Unreleased]: move them under [1.2.3].',
    ]);
    await using undated = await repository({
      'CHANGELOG.md': '# Changelog\n\n## [1.2.3] - Unreleased\n\n- New.\n',
    });
    expect(checkVersions(undated.path)).toEqual([]);
    expect(checkVersions(undated.path, 'v1.2.3', true)).toEqual([
      'CHANGELOG.md calls 1.2.3 unreleased: give its heading the date.',
    ]);
  });

  test('and the documents call it published', async () => {
    await using unpublished = await repository();
    expect(checkVersions(unpublished.path, undefined, false)).toEqual([]);
    expect(checkVersions(unpublished.path, 'v1.2.3', false)).toEqual([
      'The documents call Poolguard unpublished: set isPublished in src/publication.ts and run `npm run docs`.',
    ]);
  });

  test('of the changelog become the notes of a release', () => {
    expect(
      changelogSection(
        '# C\n\n## [1.0.0] - today\n\n### Added\n\n- One.\n\n## [0.9.0]\n\n- Nine.\n',
        '1.0.0',
      ),
    ).toBe('### Added\n\n- One.');
  });
});

describe('publishing', () => {
  const options = { root, from: 'artifacts', isDryRun: false };
  const version = (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  ).version;
  const linesFor = (place: (typeof places)[number]): readonly string[] =>
    commandsFor(place, options).map(({ program, args }) => [program, ...args].join(' '));

  test('sends the packed files, with no credential among the arguments', () => {
    expect(linesFor('npm')).toEqual(
      ['poolguard', 'eslint-plugin-poolguard', 'poolguard-monitor'].map(
        (name) => `npm publish artifacts/${name}-${version}.tgz`,
      ),
    );
    expect(linesFor('marketplace')).toEqual([
      `npx vsce publish --azure-credential --skip-duplicate --packagePath artifacts/poolguard-${version}.vsix`,
    ]);
    expect(linesFor('open-vsx')).toEqual([
      expect.stringMatching(
        /^npx --yes ovsx@\d+\.\d+\.\d+ publish --skip-duplicate artifacts\/poolguard-.*\.vsix$/u,
      ),
    ]);
    expect(linesFor('github').join()).toContain(`gh release create v${version} --verify-tag`);
    expect(
      places.flatMap(linesFor).filter((line) => /token|secret|_authToken|--pat\b/iu.test(line)),
    ).toEqual([]);
  });

  test('of a package that is there already is left out, so that a job can be run again', () => {
    expect(commandsFor('npm', options).map(({ unless }) => unless?.join(' '))).toEqual(
      ['poolguard', 'eslint-plugin-poolguard', 'poolguard-monitor'].map(
        (name) => `view ${name}@${version} version`,
      ),
    );
    expect(
      commandsFor('npm', { ...options, isDryRun: true }).map(({ args }) =>
        args.includes('--dry-run'),
      ),
    ).toEqual([true, true, true]);
  });

  test('as vsce understands it', () => {
    // `vsce publish` has these options; a wrong one would come to light at the release only.
    const help = readFileSync(join(root, 'node_modules/@vscode/vsce/out/main.js'), 'utf8');
    for (const option of ['--azure-credential', '--skip-duplicate', '-i, --packagePath'])
      expect(help).toContain(option);
  });
});
