import { dirname, join, relative } from 'node:path';
import type { FileStates } from './file-states.ts';

/** Looks for a text in all source files of a project, however they are connected. */
export interface ProjectTexts {
  /** The texts that match, of the files of the project that a path belongs to; undefined where the project is too large to look through. */
  matching(path: string): readonly string[] | undefined;
  /** The same of the package that a path belongs to. */
  inPackage(path: string): readonly string[] | undefined;
  /** The paths of these files. */
  pathsMatching(path: string): readonly string[] | undefined;
  /** The part of a path that lies in its project. */
  pathInProject(path: string): string;
}

/** A project with more files than this is not looked through. */
const maximalFiles = 3000;
const maximalFolders = 3000;

const sources = /\.[cm]?[jt]sx?$/u;
const skipped: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'coverage',
  'public',
  'assets',
  'docs',
  'test',
  'tests',
  '__tests__',
  'e2e',
  'vendor',
]);

/** Where the source files of a project are. */
export interface Sources {
  readonly rootOf: (folder: string) => string;
  /** Undefined where there are too many. */
  readonly below: (root: string) => readonly string[] | undefined;
}

export function createSources(fileStates: FileStates): Sources {
  return {
    rootOf: fileStates.oncePerRun((folder) => rootAbove(folder, fileStates)),
    below: fileStates.oncePerRun((root) => sourcesBelow(root, fileStates)),
  };
}

/** A function that looks at all source files of the project and of the package that a folder belongs to. */
export function createSearch(
  fileStates: FileStates,
  { rootOf, below }: Sources,
): (folder: string) => void {
  const searchBelow = fileStates.oncePerRun((root) =>
    below(root)?.forEach((path) => fileStates.isFile(path)),
  );
  return fileStates.oncePerRun((folder) => {
    searchBelow(rootOf(folder));
    searchBelow(packageAbove(folder, fileStates));
  });
}

/** Only texts that match are kept. */
export function createProjectTexts(
  fileStates: FileStates,
  { rootOf, below }: Sources,
  pattern: RegExp,
): ProjectTexts {
  const textAt = fileStates.remember((text) => (pattern.test(text) ? text : null));
  const packageOf = fileStates.oncePerRun((folder) => packageAbove(folder, fileStates));
  const textsBelow = (root: string): readonly string[] | undefined =>
    below(root)?.flatMap((each) => textAt(each) ?? []);
  return {
    pathsMatching: (path) =>
      below(rootOf(dirname(path)))?.filter((each) => typeof textAt(each) === 'string'),
    matching: (path) => textsBelow(rootOf(dirname(path))),
    inPackage: (path) => textsBelow(packageOf(dirname(path))),
    pathInProject: (path) => relative(rootOf(dirname(path)), path),
  };
}

/** The repository, else the outermost package, else the folder itself. */
function rootAbove(start: string, fileStates: FileStates): string {
  let outermost: string | undefined;
  for (let folder = start; ; folder = dirname(folder)) {
    const names = fileStates.namesIn(folder);
    if (names.has('package.json')) outermost = folder;
    if (names.has('.git') || names.has('pnpm-workspace.yaml')) return folder;
    if (folder === dirname(folder)) return outermost ?? start;
  }
}

/** The innermost package, else the folder itself. */
export function packageAbove(start: string, fileStates: FileStates): string {
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    if (fileStates.namesIn(folder).has('package.json')) return folder;
  }
  return start;
}

function sourcesBelow(root: string, fileStates: FileStates): readonly string[] | undefined {
  const folders = [root];
  const files: string[] = [];
  // The list grows while it is read: it is the worklist.
  for (const folder of folders) {
    for (const name of fileStates.namesIn(folder)) {
      if (sources.test(name)) files.push(join(folder, name));
      else if (!name.includes('.') && !skipped.has(name)) folders.push(join(folder, name));
    }
    if (files.length > maximalFiles || folders.length > maximalFolders) return undefined;
  }
  return files;
}
