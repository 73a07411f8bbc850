import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { packedArtifacts } from '../support/packed-artifacts.ts';
import { readZip } from '../support/read-zip.ts';

interface Manifest {
  readonly main: string;
  readonly browser: string;
  readonly icon: string;
  readonly type?: string;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly scripts?: unknown;
  readonly engines: unknown;
  readonly contributes: {
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly media: Readonly<Record<string, string>> }[];
    }[];
  };
}

const mostBytes = 5_000_000;
/** Of what it contains these are executed, shown, or told by name in its code. */
const startedByCode = [
  'dist/client-library.cjs',
  'dist/find-connections.cjs',
  'dist/driver.cjs',
  'dist/export-sessions.cjs',
  'dist/report-formats.cjs',
  'dist/set-up-linters.cjs',
  'dist/what-to-probe.cjs',
  'dist/running-apps.cjs',
  'dist/pool-watch.cjs',
  'dist/server.cjs',
  'dist/engine.cjs',
  'dist/typescript.cjs',
  'dist/server-web.js',
  'dist/eslint-config.cjs',
  'dist/probe.cjs',
  'dist/libpg-query.wasm',
  'dist/oxc-parser.wasm',
  'dist/webview/sidebar.js',
  'dist/webview/sessions-panel.js',
  'dist/webview/pooler-panel.js',
  'dist/webview/page.css',
  'media/activity.svg',
];

let packagePath: string;
let files: ReadonlyMap<string, Buffer>;
let manifest: Manifest;

beforeAll(async () => {
  const { folder, checked } = await packedArtifacts();
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  const names = await readdir(folder);
  packagePath = join(folder, names.find((name) => name.endsWith('.vsix')) ?? '');
  const all = await readZip(packagePath);
  files = new Map(
    [...all]
      .filter(([name]) => name.startsWith('extension/'))
      .map(([name, bytes]) => [name.slice('extension/'.length), bytes]),
  );
  manifest = JSON.parse(textOf('package.json')) as Manifest;
}, 240_000);

test('it is a small download', async () => {
  expect((await stat(packagePath)).size).toBeLessThan(mostBytes);
});

test('activation reads a small file: what it needs later stands beside it', () => {
  expect(files.get('dist/extension.cjs')?.length).toBeLessThan(180_000);
  expect(files.get('dist/client-library.cjs')?.length).toBeGreaterThan(250_000);
  expect(files.get('dist/driver.cjs')?.length).toBeGreaterThan(100_000);
});

test('it holds every file that its manifest and its code name', () => {
  const media = manifest.contributes.walkthroughs
    .flatMap(({ steps }) =>
      steps.flatMap(({ media: { svg, image, markdown } }) => [svg, image, markdown]),
    )
    .filter((path) => path !== undefined);
  expect(media.length).toBeGreaterThan(3);
  const named = [manifest.main, manifest.browser, manifest.icon, ...media, ...startedByCode].map(
    (path) => path.replace(/^\.\//u, ''),
  );
  expect(named.filter((path) => (files.get(path)?.length ?? 0) === 0)).toEqual([]);
});

test('code asks for no bundle that it does not hold', () => {
  const bundles = [...files.keys()]
    .filter((name) => /^dist\/(?:extension|client-library|driver)/u.test(name))
    .map(textOf);
  const asked = bundles.flatMap((text) =>
    [...text.matchAll(/["'`](?:dist|\.)\/(?<path>[\w./-]+\.c?js)["'`]/gu)].map(
      (match) => `dist/${match.groups?.['path']}`,
    ),
  );
  expect(asked).toEqual(
    expect.arrayContaining([
      'dist/server.cjs',
      'dist/client-library.cjs',
      'dist/driver.cjs',
      'dist/export-sessions.cjs',
      'dist/find-connections.cjs',
      'dist/server-web.js',
      'dist/probe.cjs',
    ]),
  );
  expect(asked.filter((path) => !files.has(path))).toEqual([]);
});

test.each([
  ['native binaries', /\.node$|\.dll$|\.so$|\.dylib$|(?<!\/libpg-query|\/oxc-parser)\.wasm$/u],
  ['packages', /(?:^|\/)node_modules\//u],
  ['source maps', /\.map$/u],
  ['sources', /\.(?:ts|tsx|mts|cts)$|^src\/|^rules\/|^test\//u],
  ['settings and secrets', /(?:^|\/)\.(?:env|npmrc|git|vscode)|\.pem$|\.key$/u],
])('it holds no %s', (_what, pattern) => {
  expect([...files.keys()].filter((name) => pattern.test(name))).toEqual([]);
});

test('it points to no source map, and holds no password', () => {
  expect(
    [...files.keys()].filter((name) => /^\/\/# sourceMappingURL=/mu.test(textOf(name))),
  ).toEqual([]);
  expect([...files.keys()].flatMap((name) => passwordsIn(textOf(name)))).toEqual([]);
});

test('its manifest speaks to editors alone', () => {
  const { type, dependencies, devDependencies, scripts, engines } = manifest;
  expect({ type, dependencies, devDependencies, scripts, engines }).toEqual({
    engines: { vscode: '^1.100.0' },
  });
});

/** Connection strings with a password; an obvious stand-in is none. */
function passwordsIn(text: string): string[] {
  const strings = [
    ...text.matchAll(/postgres(?:ql)?:\/\/[^\s:@/"'`$<{]+:(?<password>[^\s@"'`]+)@[\w.]/gu),
  ];
  return strings
    .filter(
      (match) =>
        !/^(?:password|secret|\.\.\.|…|\*+|\$\{.*)$/u.test(match.groups?.['password'] ?? ''),
    )
    .map(([found]) => found);
}

function textOf(name: string): string {
  return files.get(name)?.toString('utf8') ?? '';
}
