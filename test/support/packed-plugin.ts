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

/** Packs the plugin into the folder. The manifest's prepack script builds first. */
export async function packPlugin({ path }: TemporaryFolder): Promise<void> {
  await runProgram(
    'npm',
    ['pack', '--foreground-scripts=false', '--workspace', 'rules', '--pack-destination', path],
    dirname(modules),
  );
}

/** A node_modules in the folder that holds the plugin as it was packed into `from`, and links to packages that stand elsewhere. */
export function installPlugin(
  from: string,
  folder: TemporaryFolder,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  return installPacked('eslint-plugin-poolguard', from, folder, links);
}

/** A node_modules in the folder that holds the package as it was packed into `from`, and links to packages that stand elsewhere. */
export async function installPacked(
  name: string,
  from: string,
  { path }: TemporaryFolder,
  links: Readonly<Record<string, string>>,
): Promise<void> {
  const target = join(path, 'node_modules');
  const tarball = (await readdir(from)).find(
    (file) => file.startsWith(`${name}-`) && file.endsWith('.tgz'),
  );
  if (tarball === undefined) throw new Error(`${from} holds no ${name}.`);
  await mkdir(join(target, name), { recursive: true });
  await runProgram(
    'tar',
    ['-xzf', join(from, tarball), '--strip-components=1', '-C', `node_modules/${name}`],
    path,
  );
  await Promise.all(Object.entries(links).map(([linked, to]) => link(to, join(target, linked))));
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await symlink(from, to, 'junction');
}

/** Links to packages of this repository by their name. */
export function ours(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, join(modules, name)]));
}
