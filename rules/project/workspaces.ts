import { join } from 'node:path';
import type { FileStates } from './file-states.ts';
import { foldersUp } from './folders-up.ts';
import type { ReadManifest } from './manifests.ts';
import { createGlob, type Glob } from './globs/glob.ts';
import { createWork, type Work } from './globs/work.ts';

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
  const rootAbove = fileStates.oncePerRun((folder) =>
    foldersUp(folder).find((each) => globsAt(each) !== undefined),
  );
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

/** The folders that patterns name, and the root. */
function foldersOf(
  root: string,
  declared: readonly string[],
  fileStates: FileStates,
): readonly string[] {
  const work = createWork();
  const excluded = globsOf(
    declared.flatMap((each) => (each.startsWith('!') ? each.slice(1) : [])),
    work,
  );
  const included = globsOf(
    declared.filter((each) => !each.startsWith('!')),
    work,
  );
  const found: string[] = [];
  const open = [''];
  let left = maximalFolders;
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    for (const name of fileStates.namesIn(join(root, prefix))) {
      const path = prefix + name;
      work.grant();
      const isNamed = included.some((glob) => glob.matches(path));
      const isAbove = name !== 'node_modules' && included.some((glob) => glob.mayMatchIn(path));
      if (!isNamed && !isAbove) continue;
      left -= 1;
      if (left < 0) return [...found, root];
      if (isNamed && !excluded.some((glob) => glob.matches(path))) found.push(join(root, path));
      if (isAbove) open.push(`${path}/`);
    }
  }
  return [...found, root];
}

function globsOf(patterns: readonly string[], work: Work): readonly Glob[] {
  return patterns.map((pattern) => {
    const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
    return createGlob(names.join('/'), { dialect: 'shell', matchesDots: false, work });
  });
}
