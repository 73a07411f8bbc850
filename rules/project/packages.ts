import { dirname, join, sep, normalize, relative } from 'node:path';
import type { FileStates } from './file-states.ts';
import { createManifestReader, type Manifest } from './manifests.ts';
import { isOfNode } from './node-modules.ts';
import { targetsIn, targetsOfExports, targetsOfImports } from './package-targets.ts';
import { createConfigReader, type ConfigReader, type Options } from './tsconfig.ts';
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

/** Where builds commonly put their output, and where the sources are. */
const outputFolders: readonly string[] = [
  'dist',
  'lib',
  'build',
  'out',
  'es',
  'esm',
  'cjs',
  'types',
  'output',
];
const outputVariants: readonly string[] = [
  'esm',
  'cjs',
  'es',
  'types',
  'src',
  'commonjs',
  'module',
];
const sourceFolders: readonly string[] = ['src', 'lib', 'source'];

/** The paths, the likeliest first, of the source of a file that a package in a folder names; sources have no extension here. */
function createSourceFinder(
  fileStates: FileStates,
  { optionsOf }: ConfigReader,
): (folder: string, target: string) => readonly string[] {
  const layoutsIn = fileStates.oncePerRun((folder) =>
    ['tsconfig.json', 'tsconfig.build.json'].map((name) =>
      optionsOf(join(folder, name), new Set()),
    ),
  );
  return (folder, target) => {
    const path = normalize(target);
    const stem = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/u, '');
    const itself = /\.d\.[cm]?ts$/u.test(path) ? [] : [path];
    const sources = [
      ...declaredSources(folder, stem, layoutsIn(folder)),
      ...commonSources(stem, sourceFolders),
      ...itself,
      ...commonSources(stem, ['.']),
      join('src', stem),
    ];
    return sources.map((each) => join(folder, each));
  };
}

function declaredSources(
  folder: string,
  stem: string,
  layouts: readonly Options[],
): readonly string[] {
  return layouts.flatMap(({ outDir, rootDir }) => {
    const rest = outDir === undefined ? undefined : below(relative(folder, outDir), stem);
    if (rest === undefined) return [];
    const roots = rootDir === undefined ? [...sourceFolders, '.'] : [relative(folder, rootDir)];
    return roots.filter((root) => !root.startsWith('..')).map((root) => join(root, rest));
  });
}

function commonSources(stem: string, roots: readonly string[]): readonly string[] {
  const [first = '', second = '', ...more] = stem.split(sep);
  if (!outputFolders.includes(first)) return [];
  const rests =
    more.length > 0 && outputVariants.includes(second)
      ? [join(...more), join(second, ...more)]
      : [join(second, ...more)];
  return rests.flatMap((rest) =>
    roots.filter((root) => root !== first).map((root) => join(root, rest)),
  );
}

function below(folder: string, path: string): string | undefined {
  const prefix = folder + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
