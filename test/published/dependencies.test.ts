import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { artifacts } from '../../scripts/published/artifacts.ts';
import { forNpm, type Manifest } from '../../scripts/published/manifests.ts';
import { readMetafile } from '../../scripts/published/bundled-packages.ts';

const root = resolve(import.meta.dirname, '../..');

/** The editor's own module, and what pg, the monitor and TypeScript ask for and do without. */
const notNeeded = ['vscode', 'pg-native', '@opentelemetry/api', 'source-map-support'];

const bundles = ['.', 'rules', 'monitor'].flatMap((folder) => {
  const files = artifacts.filter((each) => each.folder === folder).flatMap((each) => each.files);
  const paths = new Set(files.map(({ path }) => path).filter((path) => /\.c?js$/u.test(path)));
  return [...paths].map((path) => ({ folder, path }));
});

test.each(bundles)(
  '$folder/$path asks for nothing that has to be installed',
  ({ folder, path }) => {
    const { imports = [] } = Object.values(readMetafile(root, folder, path).outputs)[0] ?? {};
    const asked = imports.flatMap((each) => (each.external === true ? [each.path] : []));
    const beside = new Set(
      bundles
        .filter((each) => each.folder === folder)
        .map((each) => each.path.replace(/^dist\//u, './')),
    );
    expect(
      asked.filter(
        (name) =>
          !name.startsWith('node:') &&
          !builtinModules.includes(name) &&
          !notNeeded.includes(name) &&
          !beside.has(name),
      ),
    ).toEqual([]);
  },
);

test('`poolguard lint` starts without what only other commands and changed files need', () => {
  const loadedBy = (path: string): readonly string[] =>
    (Object.values(readMetafile(root, '.', path).outputs)[0]?.imports ?? [])
      .map((each) => each.path)
      .filter((name) => name.startsWith('./'));
  expect(loadedBy('dist/cli.js').toSorted()).toEqual([
    './commands.cjs',
    './lint.cjs',
    './overview.cjs',
  ]);
  expect(loadedBy('dist/lint.cjs')).toEqual(['./engine.cjs']);
  expect(loadedBy('dist/overview.cjs')).toEqual([]);
});

/** As it is published; that of the repository lists what the build takes in, too. */
const published: Readonly<Record<string, (manifest: Manifest) => Manifest>> = {
  'package.json': forNpm,
  'rules/package.json': (manifest) => manifest,
  'monitor/package.json': (manifest) => manifest,
};

test.each(Object.entries(published))('%s has no run-time dependency', (path, toPublished) => {
  const manifest = toPublished(JSON.parse(readFileSync(resolve(root, path), 'utf8')) as Manifest);
  expect(Object.keys(manifest)).not.toContain('dependencies');
  expect(Object.keys(manifest)).not.toContain('optionalDependencies');
});
