import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from '../support/run-process.ts';
import type { TemporaryFolder } from '../support/temporary-folder.ts';
import { readExpectedFindings } from '../support/expected-findings.ts';
import { runNode, runProgram } from '../support/run-process.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const modules = join(root, 'node_modules');
const examples = ['leaky-api', 'healthy-api'] as const;

/** What git ignores in the examples; other tests may have made it. */
const builtOrInstalled = new Set(['dist', 'node_modules']);

interface PackedFile {
  readonly path: string;
}

let folder: TemporaryFolder;
let packed: readonly PackedFile[];

/** The examples beside a node_modules that holds the packed plugin and what a user installs with it. */
beforeAll(async () => {
  folder = await createTemporaryFolder();
  packed = await pack();
  await install();
  await Promise.all(examples.map((name) => cp(join(root, 'examples', name), join(folder.path, name), { recursive: true, filter: (from) => !builtOrInstalled.has(basename(from)) })));
});
afterAll(() => folder[Symbol.asyncDispose]());

async function pack(): Promise<readonly PackedFile[]> {
  const { stdout } = await runProgram('npm', ['pack', '--json', '--foreground-scripts=false', '--workspace', 'rules', '--pack-destination', folder.path], root);
  // The manifest's prepack script builds first. npm 11 answers a list, npm 12 an object by package name.
  const answer = JSON.parse(stdout) as Record<string, { readonly files: readonly PackedFile[] }>;
  return Object.values(answer)[0]?.files ?? [];
}

async function install(): Promise<void> {
  const target = join(folder.path, 'node_modules');
  const tarball = (await readdir(folder.path)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(join(target, 'eslint-plugin-poolguard'), { recursive: true });
  await runProgram('tar', ['-xzf', tarball, '--strip-components=1', '-C', 'node_modules/eslint-plugin-poolguard'], folder.path);
  await Promise.all(['eslint', 'typescript-eslint', 'typescript'].map((name) => symlink(join(modules, name), join(target, name), 'junction')));
}

describe('the tarball', () => {
  it('holds the built plugin, its papers and nothing else', () => {
    const paths = packed.map(({ path }) => path);
    expect(paths).toContain('dist/index.js');
    expect(paths.filter((path) => !/^(?:dist\/.+|README\.md|LICENSE|package\.json)$/u.test(path))).toEqual([]);
  });

  it('needs nothing at run time but ESLint', async () => {
    const { dependencies = {}, peerDependencies } = await readManifest();
    expect(dependencies).toEqual({});
    expect(Object.keys(peerDependencies)).toEqual(['eslint']);
    const code = await readFile(join(folder.path, 'node_modules/eslint-plugin-poolguard/dist/index.js'), 'utf8');
    expect([...code.matchAll(/^(?:import|export)\b.*\bfrom\s*["'](?<name>[^"']+)["']/gmu)].map((match) => match.groups?.['name']).filter((name) => !name?.startsWith('node:'))).toEqual([]);
  });

  it('holds every file that its manifest names', async () => {
    const { exports } = await readManifest();
    const named = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)));
    expect(packed.map(({ path }) => `./${path}`)).toEqual(expect.arrayContaining(named));
  });

  interface Manifest {
    readonly dependencies?: object;
    readonly peerDependencies: object;
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  }

  async function readManifest(): Promise<Manifest> {
    return JSON.parse(await readFile(join(folder.path, 'node_modules/eslint-plugin-poolguard/package.json'), 'utf8')) as Manifest;
  }
});

describe.each(examples)('on %s', (name) => {
  it('eslint finds every mistake that is marked, and nothing else', async () => {
    const run = await runNode([join(modules, 'eslint/bin/eslint.js'), '--format', 'json', '.'], join(folder.path, name));
    expect(readEslint(run, join(folder.path, name))).toEqual(await readExpectedFindings(join(folder.path, name)));
  });

  it('eslint finds the same with two threads', async () => {
    const run = await runNode([join(modules, 'eslint/bin/eslint.js'), '--format', 'json', '--concurrency', '2', '.'], join(folder.path, name));
    expect(readEslint(run, join(folder.path, name))).toEqual(await readExpectedFindings(join(folder.path, name)));
  });

  it('oxlint finds every mistake that is marked, and nothing else', async () => {
    const run = await runNode([join(modules, 'oxlint/bin/oxlint'), '--format', 'json', '.'], join(folder.path, name));
    expect(readOxlint(run)).toEqual(await readExpectedFindings(join(folder.path, name)));
  });
});

it('the leaky example holds marked mistakes in TypeScript and in JavaScript', async () => {
  const expected = await readExpectedFindings(join(folder.path, 'leaky-api'));
  expect(expected.filter((each) => each.includes('.ts:')).length).toBeGreaterThan(5);
  expect(expected.filter((each) => each.includes('.cjs:')).length).toBeGreaterThan(1);
});

function readEslint({ stdout, stderr }: Finished, cwd: string): string[] {
  if (stdout === '') return [stderr];
  const results = JSON.parse(stdout) as { filePath: string; messages: { ruleId: string | null; line: number; message: string }[] }[];
  return results.flatMap(({ filePath, messages }) => messages.map(({ ruleId, line, message }) => place(relative(cwd, filePath), line, ruleId ?? message))).sort();
}

function readOxlint({ stdout, stderr }: Finished): string[] {
  if (stdout === '') return [stderr];
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string; message: string; filename: string; labels: { span: { line: number } }[] }[] };
  return diagnostics.map(({ code, message, filename, labels }) => place(filename, labels[0]?.span.line ?? 0, code?.replace(/^(?<plugin>.+)\((?<rule>.+)\)$/u, '$<plugin>/$<rule>') ?? message)).sort();
}

function place(file: string, line: number, what: string): string {
  return `${file.replaceAll('\\', '/')}:${line} ${what}`;
}
