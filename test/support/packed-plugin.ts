import { mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { TemporaryFolder } from './temporary-folder.ts';
import { runProgram } from './run-process.ts';

export const modules = join(resolve(import.meta.dirname, '../..'), 'node_modules');
/** Where the ESLint versions stand that the plugin supports. */
export const eslints = {
  '9': join(modules, '../test/eslint-9/node_modules/eslint'),
  '10': join(modules, 'eslint'),
} as const;

export interface PackedFile {
  readonly path: string;
}

/** Packs the plugin into the folder, and says what the tarball holds. */
export function packPlugin(folder: TemporaryFolder): Promise<readonly PackedFile[]> {
  return packWorkspace('rules', folder);
}

/** Packs a workspace into the folder, and says what the tarball holds. The manifest's prepack script builds first. */
export async function packWorkspace(
  workspace: string,
  { path }: TemporaryFolder,
): Promise<readonly PackedFile[]> {
  const { stdout } = await runProgram(
    'npm',
    [
      'pack',
      '--json',
      '--foreground-scripts=false',
      '--workspace',
      workspace,
      '--pack-destination',
      path,
    ],
    dirname(modules),
  );
  // npm 11 answers a list, npm 12 an object by package name.
  const answer = JSON.parse(stdout) as Record<string, { readonly files: readonly PackedFile[] }>;
  return Object.values(answer)[0]?.files ?? [];
}

/** A node_modules in the folder that holds the packed plugin, and links to packages that stand elsewhere. */
export function installPlugin(
  folder: TemporaryFolder,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  return installPacked('eslint-plugin-poolguard', folder, links);
}

/** A node_modules in the folder that holds the package that was packed into it, and links to packages that stand elsewhere. */
export async function installPacked(
  name: string,
  { path }: TemporaryFolder,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  const target = join(path, 'node_modules');
  const tarball = (await readdir(path)).find((file) => file.endsWith('.tgz')) ?? '';
  await mkdir(join(target, name), { recursive: true });
  await runProgram(
    'tar',
    ['-xzf', tarball, '--strip-components=1', '-C', `node_modules/${name}`],
    path,
  );
  await Promise.all(
    Object.entries(links).map(([linked, from]) => link(from, join(target, linked))),
  );
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to, 'junction');
}

/** Links to packages of this repository by their name. */
export function ours(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, join(modules, name)]));
}
