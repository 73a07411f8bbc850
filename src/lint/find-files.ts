import { stat } from 'node:fs/promises';
import { basename, extname, relative, resolve, sep } from 'node:path';
import { createGlob, longestGlob } from '../globs/glob.ts';
import { createWork } from '../globs/work.ts';
import { readOrdinary } from '../../rules/project/ordinary-file.ts';
import { slashed } from '../files/slashed.ts';
import { codeOf } from './code-of.ts';
import { longestSource } from './read-source.ts';
import { walkFolder, type Wanted } from './walk-folder.ts';

const isSource = /\.[mc]?[jt]sx?$/i;
const isGeneratedFile = /\.(?:d\.[mc]?ts|min\.[mc]?js)$/;
/** In a path that is a pattern. */
const wildcard = /[*?[\]{}!+@()|\\]/;
const generatedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
  '.git',
]);

export interface FoundFiles {
  /** Absolute, sorted, each once. */
  readonly files: readonly string[];
  /** Whole sentences about paths that could not be followed. */
  readonly complaints: readonly string[];
}

/**
 * The files that paths stand for: a file is itself, a folder is every source file in it that git does not ignore,
 * anything else is a glob pattern, and one that begins with an exclamation mark takes files away. A file that is named may have no ending,
 * as `bin/www`, if its first line has a JavaScript runtime run it; others are complained about. `ignored` are patterns of files to leave out, too.
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
  const leftOut = [...paths.filter(isNegated).map((path) => path.slice(1)), ...ignored];
  if (leftOut.some(isTooLong)) return { files: [], complaints: [tooLong] };
  const found = await Promise.all(
    (wanted.length > 0 ? wanted : ['.']).map((path) => follow(path, cwd)),
  );
  const isLeftOut = leavingOut(leftOut, cwd);
  const files = new Set(found.flatMap((each) => each.files).filter((file) => !isLeftOut(file)));
  return { files: [...files].sort(), complaints: found.flatMap((each) => each.complaints) };
}

const tooLong = `A pattern has more than ${longestGlob} characters.`;

function isTooLong(pattern: string): boolean {
  return pattern.length > longestGlob;
}

/** Whether one of the patterns, which are relative to `cwd`, matches a file or a folder around it. */
export function leavingOut(patterns: readonly string[], cwd: string): (file: string) => boolean {
  const work = createWork();
  const globs = patterns.map((pattern) =>
    createGlob(pattern.replace(/^\.\//u, '').replace(/\/$/u, ''), {
      dialect: 'shell',
      matchesDots: true,
      work,
    }),
  );
  return (file) => {
    const path = slashed(relative(cwd, file));
    work.grant();
    return globs.some((glob) => glob.matchesAround(path));
  };
}

/** The files of SQL in a folder that git does not ignore, absolute. */
export async function findSqlFiles(folder: string): Promise<readonly string[]> {
  return (await search(folder, filesNamed(/\.sql$/u))).files;
}

async function follow(path: string, cwd: string): Promise<FoundFiles> {
  if (path === '')
    return { files: [], complaints: ['A path is empty. Name a file, a folder or a pattern.'] };
  const absolute = resolve(cwd, path);
  const kind = await kindOf(absolute);
  if (kind === 'file')
    return isSource.test(path) || (extname(path) === '' && mayBeProgram(absolute))
      ? { files: [absolute], complaints: [] }
      : {
          files: [],
          complaints: [
            extname(path) === ''
              ? `${path} has neither an extension of JavaScript or TypeScript nor a first line such as #!/usr/bin/env node.`
              : `${path} does not have an extension of JavaScript or TypeScript.`,
          ],
        };
  if (kind === 'folder') return search(absolute, filesNamed(/\.[mc]?[jt]sx?$/u));
  if (kind === 'missing' && wildcard.test(path)) return expand(path, cwd);
  return {
    files: [],
    complaints: [
      kind === 'missing' ? `${path} does not exist.` : `${path} cannot be read: ${kind.because}.`,
    ],
  };
}

const runtime = /^#!.*\b(?:node|nodejs|bun|deno|tsx|ts-node)\b/u;

/** What is no ordinary file, or too long, has a sentence of its own when it is read. */
function mayBeProgram(path: string): boolean {
  const read = readOrdinary(path, { longest: longestSource });
  return read.kind === 'unread' || runtime.test(read.bytes.toString('latin1', 0, 200));
}

async function expand(pattern: string, cwd: string): Promise<FoundFiles> {
  if (isTooLong(pattern)) return { files: [], complaints: [tooLong] };
  const [folder, rest] = splitGlob(pattern);
  const found = await search(resolve(cwd, folder), filesLike(rest), cwd);
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

/** The folder that a glob names before its first wildcard, and the rest. */
function splitGlob(pattern: string): readonly [folder: string, rest: string] {
  const plain = pattern.slice(0, pattern.search(wildcard));
  const end = plain.lastIndexOf('/') + 1;
  return [pattern.slice(0, end), pattern.slice(end)];
}

async function kindOf(
  path: string,
): Promise<'file' | 'folder' | 'missing' | { readonly because: string }> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (failure) {
    const code = codeOf(failure);
    return isMissing.has(code) ? 'missing' : { because: code };
  }
}

/** A name that is too long is that of no file. */
const isMissing: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Files in visible folders, by the end of their names. */
function filesNamed(ending: RegExp): Wanted {
  return {
    file: (path) => isVisible(path) && ending.test(path),
    folder: isVisible,
  };
}

function isVisible(path: string): boolean {
  return path.charAt(path.lastIndexOf('/') + 1) !== '.';
}

function filesLike(pattern: string): Wanted {
  const work = createWork();
  const glob = createGlob(pattern, { dialect: 'shell', matchesDots: false, work });
  const granted = (answer: boolean): boolean => {
    work.grant();
    return answer;
  };
  return {
    file: (path) => granted(glob.matches(path)),
    folder: (path) => granted(glob.mayMatchIn(path)),
  };
}

/** Wanted files of a folder that are not generated, as the names of folders below `cwd` tell. */
async function search(folder: string, wanted: Wanted, cwd = folder): Promise<FoundFiles> {
  if (relative(cwd, folder).split(sep).some(isGeneratedFolder))
    return { files: [], complaints: [] };
  const { files, failures } = await walkFolder(folder, {
    file: (path) => !isGeneratedFile.test(path) && wanted.file(path),
    folder: (path) => !isGeneratedFolder(basename(path)) && wanted.folder(path),
  });
  const [because] = failures;
  return {
    files,
    complaints: because === undefined ? [] : [`A folder in ${folder} cannot be read: ${because}.`],
  };
}

function isGeneratedFolder(name: string): boolean {
  return generatedFolders.has(name);
}
