import { dirname, join, sep } from 'node:path';
import type { FileStates } from './file-states.ts';
import { createManifestReader, type Manifest } from './manifests.ts';
import { isOfNode } from './node-modules.ts';
import { targetsIn, targetsOfExports, targetsOfImports } from './package-targets.ts';
import { createSourceFinder } from './source-paths.ts';
import { createConfigReader } from './tsconfig.ts';
import { createWorkspaces } from './workspaces.ts';

/** Finds the sources of packages that are part of the repository: what is installed from a registry is never looked into. */
export interface Packages {
  /** Paths, the likeliest first, for which a bare specifier or one like `#db` may stand in a file of a folder. */
  pathsFor(specifier: string, folder: string): readonly string[];
  /** The folder of a package of the repository, as a file of another folder sees it; undefined for an installed one. */
  folderOf(name: string, from: string): string | undefined;
  /** Paths, perhaps without extension, of the configuration that a package holds, an installed one as well. */
  configsFor(specifier: string, folder: string): readonly string[];
}

export function createPackages(fileStates: FileStates): Packages {
  const manifestAt = createManifestReader(fileStates);
  const workspaces = createWorkspaces(fileStates, manifestAt);
  const folderOf = (name: string, from: string): string | undefined => {
    const scope = scopeAbove(from, manifestAt);
    if (scope !== undefined && manifestAt(scope)?.name === name) return scope;
    const installed = installedAbove(name, from, fileStates);
    if (installed === undefined) return workspaces.folderOf(name, from);
    const real = fileStates.realPathOf(installed);
    return real === undefined || isInNodeModules(real) ? undefined : real;
  };
  const configsFor = (specifier: string, from: string): readonly string[] => {
    const [name = '', subpath = ''] = partsOf(specifier);
    const folder = installedAbove(name, from, fileStates) ?? workspaces.folderOf(name, from);
    if (name === '' || folder === undefined) return [];
    const { exports, tsconfig } = manifestAt(folder) ?? {};
    const named = subpath === '.' ? targetsIn(tsconfig) : [];
    return [...targetsOfExports(exports, subpath), ...named, subpath]
      .filter(staysInside)
      .map((target) => join(folder, target));
  };
  const sourcesFor = createSourceFinder(fileStates, createConfigReader(fileStates, { configsFor }));
  const pathsIn = (folder: string, targets: readonly string[]): readonly string[] =>
    targets.filter(staysInside).flatMap((target) => sourcesFor(folder, target));
  return {
    folderOf,
    configsFor,
    pathsFor(specifier, from) {
      if (specifier.startsWith('#')) {
        const scope = scopeAbove(from, manifestAt);
        return scope === undefined
          ? []
          : pathsIn(scope, targetsOfImports(manifestAt(scope)?.imports, specifier));
      }
      const [name, subpath] = isOfNode(specifier) ? [] : partsOf(specifier);
      const folder = name === undefined ? undefined : folderOf(name, from);
      return folder === undefined || subpath === undefined
        ? []
        : pathsIn(folder, targetsOf(manifestAt(folder) ?? {}, subpath));
    },
  };
}

/** The name of a package and what is asked of it: `@scope/name/part` is `@scope/name` and `./part`. */
function partsOf(specifier: string): readonly [] | readonly [name: string, subpath: string] {
  const groups = /^(?<name>(?:@[^/\\:.][^/\\:]*\/)?[^/\\:.@][^/\\:]*)(?:\/(?<rest>.+))?$/u.exec(
    specifier,
  )?.groups;
  if (groups?.['name'] === undefined) return [];
  return [groups['name'], groups['rest'] === undefined ? '.' : `./${groups['rest']}`];
}

/** What the manifest names, and for a package without `exports` the path itself. */
function targetsOf(
  { exports, source, types, typings, module, main }: Manifest,
  subpath: string,
): readonly string[] {
  if (exports !== undefined && exports !== null)
    return [...targetsOfExports(exports, subpath), ...(subpath === '.' ? [] : [subpath])];
  return subpath === '.'
    ? [source, types, typings, module, main, './index'].flatMap(targetsIn)
    : [subpath];
}

/** A manifest may name anything; what lies outside of its own package is not followed. */
function staysInside(target: string): boolean {
  return !target.split(/[\\/]/u).some((segment) => segment === '..' || segment === 'node_modules');
}

export function isInNodeModules(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`) || path.endsWith(`${sep}node_modules`);
}

/** The nearest folder with a manifest. */
function scopeAbove(
  from: string,
  manifestAt: (folder: string) => Manifest | undefined,
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (manifestAt(folder) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Where Node.js would find an installed package. */
export function installedAbove(
  name: string,
  from: string,
  fileStates: FileStates,
): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (fileStates.isFolder(place)) return place;
    if (folder === dirname(folder)) return undefined;
  }
}
