import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { artifactNamed, artifacts } from '../../../scripts/published/artifacts.ts';
import { fileNameOf } from '../../../scripts/published/pack-for-projects.ts';
import { parseTarget } from '../../../src/database/target.ts';
import { toInstall, type PackageName } from '../../../src/publication.ts';
import { root, wordsOf, type Unit } from '../../support/documents.ts';
import { runNode, type Finished } from '../../support/run-process.ts';
import { leakRule, leakyFile, type Stage } from './stage.ts';

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** It reports the leak of the project, and with `POOLGUARD_DEBUG=verdicts` says so of its acquire. */
export async function lintFindsTheLeak({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write('src/orders.js', leakyFile);
  const { code, stdout, stderr } = await stage.run(text);
  expect([code, stdout]).toEqual([1, expect.stringContaining(leakRule)]);
  if (text.includes('verdicts'))
    expect(stderr).toMatch(/^poolguard: .*orders\.js:7:24 pool\.connect\(\): reported \(/mu);
  else expect(stderr).toBe('');
}

/** `npx eslint .` with the configuration that the same document shows. */
export async function eslintFindsTheLeak({ text }: Unit, stage: Stage): Promise<void> {
  await stage.write('src/orders.js', leakyFile);
  await stage.write(
    'eslint.config.js',
    "import poolguard from 'eslint-plugin-poolguard';\n\nexport default [poolguard.configs.recommended];\n",
  );
  const { code, stdout } = await stage.run(text);
  expect([code, stdout]).toEqual([1, expect.stringContaining(leakRule)]);
}

export async function showsTheServer({ text }: Unit, stage: Stage): Promise<void> {
  const { code, stdout, stderr } = await stage.run(text);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/of \d+ connections/u);
}

/** As a role that `stats_users` names, and nothing else lets in. */
export async function showsThePooler({ text }: Unit, stage: Stage): Promise<void> {
  const { code, stdout, stderr } = await stage.run(text);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/PgBouncer \d/u);
  if (text.includes('--all')) expect(stdout).toMatch(/^(?:No servers\.|servers\b)/mu);
}

export async function plansTheSweep({ text }: Unit, stage: Stage): Promise<void> {
  const { code, stdout } = await stage.run(text, ['--dry-run']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Pool sizes: ')]);
}

export async function writesTheReport({ text }: Unit, stage: Stage): Promise<void> {
  const file = /--output (\S+)/u.exec(text)?.[1];
  const { code, stdout, stderr } = await stage.run(text);
  expect([code, stderr]).toEqual([0, file === undefined ? '' : `Written to ${file}\n`]);
  const report = file === undefined ? stdout : await readFile(join(stage.folder, file), 'utf8');
  expect(report.length).toBeGreaterThan(500);
}

/** A short one, of few sizes: what is shown is that these options measure, and leave the file that they name. */
export async function measures({ text }: Unit, stage: Stage): Promise<void> {
  const file = /--output (\S+)/u.exec(text)?.[1] ?? '';
  const { code, stderr } = await stage.run(text.replace(file, `measured-${file}`), [
    '--seconds',
    '5',
    '--max',
    '2',
    '--no-validate',
  ]);
  expect([0, 1], stderr).toContain(code);
  expect(JSON.parse(await readFile(join(stage.folder, `measured-${file}`), 'utf8'))).toMatchObject({
    experiment: 'size',
  });
}

/** Reads the earlier result, and plans what would be measured. */
export async function plansTheComparison({ text }: Unit, stage: Stage): Promise<void> {
  const { code, stdout } = await stage.run(text.replace(' --yes', ''), ['--dry-run']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Opens up to ')]);
}

export function readsAsAnAddress({ text }: Unit): void {
  const [, name, address = ''] = /^export (\w+)=(.*)$/u.exec(text) ?? [];
  expect([name, parseTarget(address).kind]).toEqual(['DATABASE_URL', 'target']);
}

/** Not run here: `test/bare/checkout.test.ts` does, from a checkout. Each is one of ours that is published, or one that we develop with. */
export function installsWhatIsOurs({ document, text }: Unit): void {
  const ours = artifacts.flatMap(({ kind, name }) => (kind === 'npm' ? [name as PackageName] : []));
  const packages = wordsOf(text).slice(3);
  expect(text.startsWith('npm install --save-dev ') && packages.length > 0).toBe(true);
  const { dependencies, devDependencies } = manifestIn('.');
  const known = [
    ...ours.map((name) => toInstall(name)),
    // The section about checkouts shows their files in either case.
    ...(document === 'docs/getting-started.md' ? ours.map((name) => toInstall(name, false)) : []),
    ...Object.keys({ ...dependencies, ...devDependencies }),
  ];
  expect(packages.filter((name) => !known.includes(name))).toEqual([]);
}

/** Not run: `test/e2e/` installs the extension. The file is the one that is packed for it. */
export function installsTheExtension({ text }: Unit): void {
  expect(text).toBe(
    `code --install-extension artifacts/${fileNameOf(artifactNamed('Poolguard for VS Code'))}`,
  );
}

/** Not run: `.ci/run` runs start and test, other tests the examples. The script exists where the document stands, and understands the flags. */
export async function hasTheScript({ document, text }: Unit): Promise<void> {
  const [, script = '', flags = ''] = /npm (?:run )?([\w:]+)(?: -- (.*))?$/u.exec(text) ?? [];
  const folder = document.startsWith('examples/') ? dirname(document) : '.';
  const line = manifestIn(folder).scripts?.[script];
  expect(line).toBeDefined();
  const [option] = /^--[\w-]+/u.exec(flags) ?? [];
  if (option === undefined) return;
  const { stdout } = await helpOf(line?.split(' ')[1] ?? '');
  expect(stdout).toContain(option);
}

const helps = new Map<string, Promise<Finished>>();

/** Of one of our programs, asked once. */
function helpOf(program: string): Promise<Finished> {
  const help = helps.get(program) ?? runNode([program, '--help'], root);
  helps.set(program, help);
  return help;
}
