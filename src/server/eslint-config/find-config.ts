import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { foldersUp } from '../../../rules/project/folders-up.ts';
import { readSource } from '../../lint/read-source.ts';

/** An ESLint configuration that counts for a file. */
export interface FoundConfig {
  /** Absolute. */
  readonly file: string;
  /** Another text whenever the configuration may say something else. */
  readonly state: string;
}

export const eslintConfigNames = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'].map(
  (extension) => `eslint.config.${extension}`,
);
/** What an installation changes, beside a configuration: another version of ESLint or of a plugin. */
const installed = [
  'package.json',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  join('node_modules', '.package-lock.json'),
];

/** The nearest `eslint.config.*` in `folder` or above it, provided that ESLint is installed there. Runs nothing. */
export function findConfig(folder: string): FoundConfig | undefined {
  const file = findUpwards(folder);
  if (file === undefined || !isNear('eslint', folder)) return undefined;
  const around = installed.map((name) => join(dirname(file), name));
  return { file, state: [file, ...importsOf(file), ...around].map(stampOf).join(' ') };
}

/** Whether a configuration can run our plugin, by its text, that of what it imports, and what is installed near it. Runs nothing. */
export function mayRunPlugin(file: string): boolean {
  const manifest = join(dirname(file), 'package.json');
  return (
    [file, ...importsOf(file), manifest].some((path) => readSource(path).includes('poolguard')) ||
    isNear('eslint-plugin-poolguard', dirname(file))
  );
}

function findUpwards(folder: string): string | undefined {
  const file = eslintConfigNames
    .map((name) => join(folder, name))
    .find((path) => stampOf(path) !== '');
  return file ?? (dirname(folder) === folder ? undefined : findUpwards(dirname(folder)));
}

/** Not by Node's own search, which reads each package.json on the way, whatever it is. */
function isNear(name: string, folder: string): boolean {
  return foldersUp(folder).some(
    (each) => stampOf(join(each, 'node_modules', name, 'package.json')) !== '',
  );
}

/** Files that the configuration names by a relative path: often the part that several packages share. */
function importsOf(file: string): string[] {
  return [...readSource(file).matchAll(/["'](?<path>\.{1,2}\/[^"'\n]+)["']/gu)].map(({ groups }) =>
    resolve(dirname(file), groups?.['path'] ?? ''),
  );
}

/** Empty for what is no file, or none that may be seen. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isFile() ? `${path}:${stats.mtimeMs}:${stats.size}` : '';
  } catch {
    return '';
  }
}
