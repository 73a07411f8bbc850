import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from '../support/run-process.ts';
import type { TemporaryFolder } from '../support/temporary-folder.ts';
import { readExpectedFindings } from '../support/expected-findings.ts';
import { packedArtifacts } from '../support/packed-artifacts.ts';
import { eslints, installPlugin, modules, ours } from '../support/packed-plugin.ts';
import { runNode } from '../support/run-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = dirname(modules);
const examples = ['leaky-api', 'healthy-api'] as const;

/** What git ignores in the examples; other tests may have made it. */
const builtOrInstalled = new Set(['dist', 'node_modules']);

const parsers = [
  'typescript-eslint',
  'typescript',
  'vue-eslint-parser',
  'svelte-eslint-parser',
  '@eslint/markdown',
];
/** Each has a marked mistake in test/fixtures/linters. */
const languages = [
  '.cjs',
  '.cts',
  '.js',
  '.jsx',
  '.md',
  '.mjs',
  '.mts',
  '.svelte',
  '.ts',
  '.tsx',
  '.vue',
];
const versions = ['9', '10'] as const;

let folder: TemporaryFolder;
/** A folder a version of ESLint. */
let homes: Readonly<Record<(typeof versions)[number], TemporaryFolder>>;

/** The examples beside a node_modules that holds the packed plugin and what a user installs with it. */
beforeAll(async () => {
  folder = await createTemporaryFolder();
  const { folder: packed } = await packedArtifacts();
  await installPlugin(packed, folder, ours('eslint', ...parsers));
  homes = { '9': await createHome('9', packed), '10': await createHome('10', packed) };
  await Promise.all(
    examples.map((name) =>
      cp(join(root, 'examples', name), join(folder.path, name), {
        recursive: true,
        filter: (from) => !builtOrInstalled.has(basename(from)),
      }),
    ),
  );
}, 240_000);
afterAll(() =>
  Promise.all([folder, ...Object.values(homes)].map((each) => each[Symbol.asyncDispose]())),
);

/** The packed plugin beside one version of ESLint, with the projects that stand in test/fixtures. */
async function createHome(
  version: (typeof versions)[number],
  packed: string,
): Promise<TemporaryFolder> {
  const home = await createTemporaryFolder();
  await installPlugin(packed, home, { ...ours(...parsers), eslint: eslints[version] });
  await Promise.all(
    ['linters', 'types'].map((name) =>
      cp(join(root, 'test/fixtures', name), join(home.path, name), { recursive: true }),
    ),
  );
  return home;
}

describe('the tarball', () => {
  it('needs nothing at run time but ESLint', async () => {
    const { dependencies = {}, peerDependencies } = await readManifest();
    expect(dependencies).toEqual({});
    expect(Object.keys(peerDependencies)).toEqual(['eslint']);
    const code = await readFile(
      join(folder.path, 'node_modules/eslint-plugin-poolguard/dist/index.js'),
      'utf8',
    );
    expect(
      [...code.matchAll(/^(?:import|export)\s[^;("']*\bfrom\s*["'](?<name>[^"']+)["']/gmu)]
        .map((match) => match.groups?.['name'])
        .filter((name) => !name?.startsWith('node:')),
    ).toEqual([]);
  });

  it('holds every file that its manifest names', async () => {
    const { exports } = await readManifest();
    const named = Object.values(exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const plugin = join(folder.path, 'node_modules/eslint-plugin-poolguard');
    expect(named.filter((path) => !existsSync(join(plugin, path)))).toEqual([]);
  });

  interface Manifest {
    readonly dependencies?: object;
    readonly peerDependencies: object;
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  }

  async function readManifest(): Promise<Manifest> {
    return JSON.parse(
      await readFile(
        join(folder.path, 'node_modules/eslint-plugin-poolguard/package.json'),
        'utf8',
      ),
    ) as Manifest;
  }
});

describe.each(examples)('on %s', (name) => {
  it('eslint finds every mistake that is marked, and nothing else', async () => {
    const run = await runNode(
      [join(modules, 'eslint/bin/eslint.js'), '--format', 'json', '.'],
      join(folder.path, name),
    );
    expect(readEslint(run, join(folder.path, name))).toEqual(
      await readExpectedFindings(join(folder.path, name)),
    );
  });

  it('eslint finds the same with two threads', async () => {
    const run = await runNode(
      [join(modules, 'eslint/bin/eslint.js'), '--format', 'json', '--concurrency', '2', '.'],
      join(folder.path, name),
    );
    expect(readEslint(run, join(folder.path, name))).toEqual(
      await readExpectedFindings(join(folder.path, name)),
    );
  });

  it('oxlint finds every mistake that is marked, and nothing else', async () => {
    const run = await runNode(
      [join(modules, 'oxlint/bin/oxlint'), '--format', 'json', '.'],
      join(folder.path, name),
    );
    expect(readOxlint(run)).toEqual(await readExpectedFindings(join(folder.path, name)));
  });
});

describe.each(versions)('ESLint %s', (version) => {
  it('is the version that it says', async () => {
    const { stdout } = await runNode([join(eslints[version], 'bin/eslint.js'), '--version'], root);
    expect(stdout).toMatch(new RegExp(`^v${version}\\.`, 'u'));
  });

  it('finds what is marked in JavaScript, TypeScript, JSX, Vue, Svelte and Markdown, and nothing else', async () => {
    const project = join(homes[version].path, 'linters');
    const run = await runNode(
      [join(eslints[version], 'bin/eslint.js'), '--format', 'json', '.'],
      project,
    );
    const expected = await readExpectedFindings(project);
    expect(new Set(expected.map((each) => extname(each.split(':')[0] ?? '')))).toEqual(
      new Set(languages),
    );
    expect(readEslint(run, project)).toEqual(expected);
  });

  it('takes a typed configuration', async () => {
    const run = await runNode(
      [join(modules, 'typescript/bin/tsc'), '-p', 'types'],
      homes[version].path,
    );
    // Only the packed types and the configuration are ours to answer for.
    expect(
      run.stdout
        .split('\n')
        .filter((line) => /^(?:types|node_modules\/eslint-plugin-poolguard)\//u.test(line)),
    ).toEqual([]);
    expect(run.stderr).toBe('');
  }, 120_000);
});

it('oxlint finds the same, but for Markdown', async () => {
  const project = join(homes['10'].path, 'linters');
  const run = await runNode([join(modules, 'oxlint/bin/oxlint'), '--format', 'json', '.'], project);
  expect(readOxlint(run)).toEqual(
    (await readExpectedFindings(project)).filter((each) => !each.startsWith('README.md')),
  );
});

it('the leaky example holds marked mistakes in TypeScript and in JavaScript', async () => {
  const expected = await readExpectedFindings(join(folder.path, 'leaky-api'));
  expect(expected.filter((each) => each.includes('.ts:')).length).toBeGreaterThan(5);
  expect(expected.filter((each) => each.includes('.cjs:')).length).toBeGreaterThan(1);
});

function readEslint({ stdout, stderr }: Finished, cwd: string): string[] {
  if (stdout === '') return [stderr];
  const results = JSON.parse(stdout) as {
    filePath: string;
    messages: { ruleId: string | null; line: number; message: string }[];
  }[];
  return results
    .flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, line, message }) =>
        place(relative(cwd, filePath), line, ruleId ?? message),
      ),
    )
    .sort();
}

function readOxlint({ stdout, stderr }: Finished): string[] {
  if (stdout === '') return [stderr];
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: {
      code?: string;
      message: string;
      filename: string;
      labels: { span: { line: number } }[];
    }[];
  };
  return diagnostics
    .map(({ code, message, filename, labels }) =>
      place(
        filename,
        labels[0]?.span.line ?? 0,
        code?.replace(/^(?<plugin>.+)\((?<rule>.+)\)$/u, '$<plugin>/$<rule>') ?? message,
      ),
    )
    .sort();
}

function place(file: string, line: number, what: string): string {
  return `${file.replaceAll('\\', '/')}:${line} ${what}`;
}
