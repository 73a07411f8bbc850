import { dirname, join, relative, sep } from 'node:path';
import type { FileStates } from './file-states.ts';
import type { ReadManifest } from './manifests.ts';
import { alternativesOf, isNameLike, isPathLike } from './wildcards.ts';

/** Finds the packages of the monorepo that a folder belongs to. */
export interface Workspaces {
  /** The folder of the workspace package with a name. */
  folderOf(name: string, from: string): string | undefined;
}

/** A workspace with more folders than this is searched no further. */
const maximalFolders = 5000;

/** npm and Yarn say in package.json which folders are packages, pnpm and Lerna in files of their own. */
export function createWorkspaces(fileStates: FileStates, manifestAt: ReadManifest): Workspaces {
  const pnpmGlobs = fileStates.remember(globsOfPnpm);
  const lernaGlobs = fileStates.remember((text) =>
    stringsIn((JSON.parse(text) as { packages?: unknown } | null)?.packages),
  );
  const globsAt = (folder: string): readonly string[] | undefined => {
    const declared = manifestAt(folder)?.workspaces;
    const nested =
      typeof declared === 'object' && declared !== null && 'packages' in declared
        ? declared.packages
        : declared;
    return (
      stringsIn(nested) ??
      pnpmGlobs(join(folder, 'pnpm-workspace.yaml')) ??
      lernaGlobs(join(folder, 'lerna.json'))
    );
  };
  const packagesBelow = fileStates.oncePerRun((root) => {
    const named = foldersOf(root, globsAt(root) ?? [], fileStates).map(
      (folder) => [manifestAt(folder)?.name, folder] as const,
    );
    return new Map(named.reverse());
  });
  const rootAbove = fileStates.oncePerRun((folder): string | undefined => {
    if (globsAt(folder) !== undefined) return folder;
    return folder === dirname(folder) ? undefined : rootAbove(dirname(folder));
  });
  return {
    folderOf(name, from) {
      const root = rootAbove(from);
      return root === undefined ? undefined : packagesBelow(root).get(name);
    },
  };
}

function stringsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** The plain list below `packages:`, on lines of its own or in brackets; undefined when there is none. */
export function globsOfPnpm(text: string): readonly string[] | undefined {
  const lines = text.split(/\r?\n/u).map(withoutComment);
  const start = lines.findIndex((line) => /^packages:/u.test(line));
  if (start < 0) return undefined;
  const inline = /^[^[]*\[(?<list>.*)\]/su.exec(lines[start] ?? '')?.groups?.['list'];
  if (inline !== undefined)
    return inline
      .split(',')
      .map(unquoted)
      .filter((glob) => glob !== '');
  const body = lines.slice(start + 1);
  const end = body.findIndex((line) => /^[^\s-]/u.test(line));
  return body
    .slice(0, end < 0 ? body.length : end)
    .flatMap((line) => /^\s*-\s+(?<item>\S.*)$/su.exec(line)?.groups?.['item'] ?? [])
    .map(unquoted);
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s)#.*$/su, '');
}

function unquoted(item: string): string {
  return item.trim().replace(/^(?<quote>['"])(?<inner>.*)\k<quote>$/u, '$<inner>');
}

function foldersOf(
  root: string,
  declared: readonly string[],
  fileStates: FileStates,
): readonly string[] {
  const budget = { left: maximalFolders };
  const globs = declared.flatMap(alternativesOf);
  const excluded = globs
    .filter((glob) => glob.startsWith('!'))
    .map((glob) => segmentsOf(glob.slice(1)));
  const found = globs
    .filter((glob) => !glob.startsWith('!'))
    .flatMap((glob) => expand(root, segmentsOf(glob), fileStates, budget));
  return [...new Set(found)].filter(
    (folder) => !excluded.some((pattern) => isPathLike(pattern, relative(root, folder).split(sep))),
  );
}

function segmentsOf(glob: string): readonly string[] {
  return glob.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function expand(
  folder: string,
  [segment, ...rest]: readonly string[],
  fileStates: FileStates,
  budget: { left: number },
): readonly string[] {
  if (segment === undefined) return [folder];
  if (segment === '..' || budget.left <= 0) return [];
  if (!/[*?]/u.test(segment)) return expand(join(folder, segment), rest, fileStates, budget);
  const isAnyDepth = segment === '**';
  const below = [...fileStates.namesIn(folder)]
    .filter((name) => isPlainName(name) && (isAnyDepth || isNameLike(segment, name)))
    .map((name) => join(folder, name));
  budget.left -= below.length;
  if (!isAnyDepth) return below.flatMap((each) => expand(each, rest, fileStates, budget));
  return [
    ...expand(folder, rest, fileStates, budget),
    ...below.flatMap((each) => expand(each, [segment, ...rest], fileStates, budget)),
  ];
}

function isPlainName(name: string): boolean {
  return !name.startsWith('.') && name !== 'node_modules';
}
