import fs from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, relative, resolve, sep } from 'node:path';
import { globby, isDynamicPattern } from 'globby';
import picomatch from 'picomatch';
import { readSource } from './read-source.ts';

/** What is checked of a folder. */
const sources = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}';
const isSource = /\.[mc]?[jt]sx?$/i;

const generated = [
  '**/{node_modules,dist,build,coverage,.git}/**',
  '**/*.d.{ts,mts,cts}',
  '**/*.min.{js,mjs,cjs}',
];

/** In bytes, many times what people write into a `.gitignore`: each of its lines costs time for each path. */
const longestIgnoreFile = 1_000_000;

/** Of a workspace that may hold a file of any size: larger ones ignore nothing. */
const boundedFileSystem = {
  ...fs,
  promises: { ...fs.promises, readFile: (path: string) => readSource(path, longestIgnoreFile) },
};

export interface FoundFiles {
  /** Absolute, sorted, each once. */
  readonly files: readonly string[];
  /** Whole sentences about paths that could not be followed. */
  readonly complaints: readonly string[];
}

/**
 * The files that paths stand for: a file is itself, a folder is every source file in it that git does not ignore,
 * anything else is a glob pattern, and one that begins with an exclamation mark takes files away. A file that is named may have no ending,
 * as `bin/www`; one with the ending of another language is complained about. `ignored` are patterns of files to leave out, too.
 */
export async function findFiles(
  paths: readonly string[],
  cwd: string,
  ignored: readonly string[] = [],
): Promise<FoundFiles> {
  const kinds = await Promise.all(paths.map((path) => kindOf(resolve(cwd, path))));
  const isNegated = (path: string, index: number): boolean =>
    path.startsWith('!') && kinds[index] === 'missing';
  const wanted = paths.filter((path, index) => !isNegated(path, index));
  const found = await Promise.all(
    (wanted.length > 0 ? wanted : ['.']).map((path) => follow(path, cwd)),
  );
  const isLeftOut = leavingOut(
    [...paths.filter(isNegated).map((path) => path.slice(1)), ...ignored],
    cwd,
  );
  const files = new Set(found.flatMap((each) => each.files).filter((file) => !isLeftOut(file)));
  return { files: [...files].sort(), complaints: found.flatMap((each) => each.complaints) };
}

/** Whether one of the patterns, which are relative to `cwd`, matches a file or a folder around it. */
export function leavingOut(patterns: readonly string[], cwd: string): (file: string) => boolean {
  if (patterns.length === 0) return () => false;
  const isMatch = picomatch(
    patterns.map((pattern) => pattern.replace(/^\.\//u, '').replace(/\/$/u, '')),
    { dot: true },
  );
  return (file) => {
    const parts = relative(cwd, file).split(sep);
    return parts.some((_, index) => isMatch(parts.slice(0, index + 1).join('/')));
  };
}

/** The files of SQL in a folder that git does not ignore, absolute. */
export async function findSqlFiles(folder: string): Promise<readonly string[]> {
  return (await search('**/*.sql', folder)).files;
}

async function follow(path: string, cwd: string): Promise<FoundFiles> {
  const absolute = resolve(cwd, path);
  const kind = await kindOf(absolute);
  if (kind === 'file')
    return isSource.test(path) || extname(path) === ''
      ? { files: [absolute], complaints: [] }
      : {
          files: [],
          complaints: [`${path} does not have an extension of JavaScript or TypeScript.`],
        };
  if (kind === 'folder') return search(sources, absolute);
  if (kind === 'missing' && isDynamicPattern(path)) return expand(path, cwd);
  return {
    files: [],
    complaints: [
      kind === 'missing' ? `${path} does not exist.` : `${path} cannot be read: ${kind.because}.`,
    ],
  };
}

async function expand(pattern: string, cwd: string): Promise<FoundFiles> {
  const found = await search(pattern, cwd);
  if (found.files.length === 0)
    return { files: [], complaints: [...found.complaints, `No file matches ${pattern}.`] };
  const files = found.files.filter((file) => isSource.test(file));
  return {
    files,
    complaints:
      files.length > 0
        ? found.complaints
        : [...found.complaints, `No JavaScript or TypeScript file matches ${pattern}.`],
  };
}

async function kindOf(
  path: string,
): Promise<'file' | 'folder' | 'missing' | { readonly because: string }> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (failure) {
    const code = codeOf(failure);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : { because: code };
  }
}

async function search(pattern: string, cwd: string): Promise<FoundFiles> {
  const options = {
    cwd,
    gitignore: true,
    ignore: generated,
    absolute: true,
    followSymbolicLinks: false,
    fs: boundedFileSystem,
  } as const;
  try {
    return { files: (await globby(pattern, options)).map((file) => resolve(file)), complaints: [] };
  } catch (failure) {
    const files = await globby(pattern, { ...options, suppressErrors: true });
    return {
      files: files.map((file) => resolve(file)),
      complaints: [`A folder in ${cwd} cannot be read: ${codeOf(failure)}.`],
    };
  }
}

export function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : String(failure);
}
