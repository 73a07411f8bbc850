import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { expect, test } from 'vitest';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(path, 'utf8')) as Manifest;
}

/** The packages that a bundle imports by name, or requires when a command is run: `@scope/name/file` counts as `@scope/name`. */
function packagesIn(bundle: string): readonly string[] {
  const names = [
    ...bundle.matchAll(
      /^(?:import|export)\s*(?:[\w$*{},\s]*\bfrom\s*)?["'](?<name>[^"'.][^"']*)["'];?$/gmu,
    ),
    ...bundle.matchAll(/(?:\b__require|[^.\w]load)\("(?<name>[^".][^"]*)"\)/gu),
  ].map((match) => match.groups?.['name'] ?? '');
  const packages = names
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(packages)].sort();
}

/** The bundles of the command line as one text. */
async function readCommandLine(): Promise<string> {
  const bundles = ['cli', 'commands', 'engine'].map((name) => readFile(`dist/${name}.js`, 'utf8'));
  return (await Promise.all(bundles)).join('\n');
}

test('the command line names every package it imports as a dependency', async () => {
  const imported = packagesIn(await readCommandLine());
  const { dependencies = {} } = await readManifest('package.json');
  expect(imported).toContain('pg');
  // Scripts that the bundle writes for k6 import k6's own modules.
  expect(imported.filter((name) => !(name in dependencies) && name !== 'k6')).toEqual([]);
});

test('`poolguard lint` starts without what only other commands and changed files need', async () => {
  expect(packagesIn(await readFile('dist/cli.js', 'utf8'))).toEqual([
    'commander',
    'globby',
    'picocolors',
    'picomatch',
    'valibot',
  ]);
});

test('the command line makes nobody install a package that it does not load', async () => {
  const bundles = await readCommandLine();
  const imported = packagesIn(bundles);
  const loaded = [...bundles.matchAll(/\bimport\("(?<name>[^"./][^"]*)"\)/gu)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  const { dependencies = {} } = await readManifest('package.json');
  expect(
    Object.keys(dependencies).filter(
      (name) =>
        !imported.includes(name) &&
        !loaded.some((each) => each === name || each.startsWith(`${name}/`)),
    ),
  ).toEqual([]);
});

test('the plugin imports no package', async () => {
  expect(packagesIn(await readFile('rules/dist/index.js', 'utf8'))).toEqual([]);
  expect((await readManifest('rules/package.json')).dependencies ?? {}).toEqual({});
});
