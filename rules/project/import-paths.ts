import { basename, dirname, join, resolve } from 'node:path';
import type { FileStates } from './file-states.ts';
import { createPackages, isInNodeModules, type Packages } from './packages.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { holeIn, rankOf } from './package-targets.ts';
import {
  createConfigReader,
  placeOf,
  type Config,
  type ConfigReader,
  type Options,
} from './tsconfig.ts';

const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** TypeScript sources import each other by the name of the file that will be there at run time. */
const sourceOf: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

interface Imports {
  /** The path of the file that an import names; undefined when there is none, or it belongs to an installed package. */
  readonly pathFor: (specifier: string, importer: SourceFile) => string | undefined;
  /** What package an import names, by the import map around it: `pg` for `npm:pg@8` as well. */
  readonly packageFor: (specifier: string, importer: SourceFile) => string;
}

export function createImports(fileStates: FileStates): Imports {
  const packages = createPackages(fileStates);
  const aliases = createAliasFinder(fileStates, packages);
  const pathOf = (specifier: string, folder: string): string | undefined => {
    if (/^\.\.?(?:\/|$)/u.test(specifier))
      return findFile([resolve(folder, specifier)], fileStates);
    return (
      findFile(aliases.pathsFor(specifier, folder), fileStates) ??
      findFile(packages.pathsFor(specifier, folder), fileStates)
    );
  };
  const pathFrom = fileStates.oncePerRun((question) => {
    const [folder = '', specifier = ''] = question.split('\0');
    return pathOf(specifier, folder);
  });
  return {
    pathFor(specifier, importer) {
      const path = pathFrom(`${dirname(importer.path)}\0${specifier}`);
      return path !== undefined && isInNodeModules(path) && !isInNodeModules(importer.path)
        ? undefined
        : path;
    },
    packageFor: (specifier, importer) =>
      packageNamed(aliases.packageFor(specifier, dirname(importer.path))),
  };
}

/** `npm:@scope/name@1.2/part` is `@scope/name/part`, and `node:fs` is `fs`. */
export function packageNamed(specifier: string): string {
  const [, scheme, rest = ''] = /^(npm|node):(.*)$/u.exec(specifier) ?? [];
  if (scheme === undefined) return specifier;
  return rest.replace(/^\//u, '').replace(/(?<=.)@[^/]*/u, '');
}

function findFile(bases: readonly string[], fileStates: FileStates): string | undefined {
  for (const base of bases) {
    const found = fileAt(base, fileStates);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fileAt(base: string, fileStates: FileStates): string | undefined {
  const folder = dirname(base);
  const names = fileStates.namesIn(folder);
  const file = namesFor(basename(base)).find(
    (name) => names.has(name) && fileStates.isFile(join(folder, name)),
  );
  if (file !== undefined) return join(folder, file);
  if (!names.has(basename(base))) return undefined;
  const inside = fileStates.namesIn(base);
  const index = extensions
    .map((extension) => `index${extension}`)
    .find((name) => inside.has(name) && fileStates.isFile(join(base, name)));
  return index === undefined ? undefined : join(base, index);
}

/** The names of files that an import of this name may mean. */
function namesFor(name: string): readonly string[] {
  const extension = /\.[cm]?[jt]sx?$/u.exec(name)?.[0];
  const sources =
    extension === undefined
      ? []
      : (sourceOf[extension] ?? []).map((other) => name.slice(0, -extension.length) + other);
  return [
    ...(extension === undefined ? [] : [name]),
    ...extensions.map((each) => name + each),
    ...sources,
  ];
}

/** What `compilerOptions` of the nearest tsconfig.json or jsconfig.json say about names of modules, or the import map of a deno.json. */
interface Aliases {
  /** Absolute; what a bare name may lie below. */
  readonly baseUrl: string | undefined;
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
  /** What names of an import map stand for that is no file of the project: `npm:pg@8`. */
  readonly packages?: ReadonlyMap<string, string>;
}

interface AliasFinder {
  /** The absolute paths, without extension, that a module's name may stand for in a file of a folder; empty for a name that no alias covers. */
  pathsFor(specifier: string, folder: string): readonly string[];
  /** The specifier of the package that a name stands for, or the name itself. */
  packageFor(specifier: string, folder: string): string;
}

const configNames = ['tsconfig.json', 'jsconfig.json', 'deno.json', 'deno.jsonc'];

const maximalReferences = 5;

/** Reads `paths` and `baseUrl` of the nearest configuration, or its import map; executes none. */
export function createAliasFinder(fileStates: FileStates, packages: Packages): AliasFinder {
  const aliasesOf = createAliasReader(createConfigReader(fileStates, packages));
  const aliasesFor = fileStates.oncePerRun((folder): Aliases | undefined => {
    const path = configNames
      .map((name) => join(folder, name))
      .find((each) => fileStates.isFile(each));
    if (path !== undefined) return aliasesOf(path, new Set());
    return folder === dirname(folder) ? undefined : aliasesFor(dirname(folder));
  });
  return {
    pathsFor(specifier, folder) {
      const aliases = aliasesFor(folder);
      return aliases === undefined ? [] : candidates(specifier, aliases);
    },
    packageFor: (specifier, folder) => aliasesFor(folder)?.packages?.get(specifier) ?? specifier,
  };
}

/** Files that were `seen` count no more, so that a circle ends. */
type ReadAliases = (path: string, seen: Set<string>) => Aliases | undefined;

function createAliasReader({ configAt, optionsOf }: ConfigReader): ReadAliases {
  const aliasesOf: ReadAliases = (path, seen) => {
    const config = configAt(path, seen);
    if (config === undefined) return undefined;
    const folder = dirname(path);
    if (config.imports !== undefined) return readImports(config.imports, folder);
    const options = optionsOf(path, seen);
    if (options.baseUrl !== undefined || options.paths !== undefined)
      return toAliases(options, folder);
    for (const each of referredBy(config, folder)) {
      const aliases = aliasesOf(each, seen);
      if (aliases !== undefined) return aliases;
    }
    return undefined;
  };
  return aliasesOf;
}

/** Those that a configuration which compiles nothing itself refers to, and the file of an import map. */
function referredBy({ references, importMap }: Config, folder: string): readonly string[] {
  const referred = Array.isArray(references)
    ? references
        .slice(0, maximalReferences)
        .map((each: unknown) => (each as { path?: unknown } | null)?.path)
    : [];
  return (
    [...referred, importMap]
      // A reference to a folder is another package, whose aliases are its own.
      .filter((each) => typeof each === 'string' && /\.jsonc?$/u.test(each))
      .map((each) => resolve(folder, each as string))
  );
}

/** An import map: a name that ends in a slash stands for all that begin with it. */
function readImports(imports: unknown, base: string): Aliases {
  const entries = Object.entries(imports ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    baseUrl: undefined,
    paths: entries
      .filter(([, target]) => target.startsWith('.'))
      .map(([name, target]) => {
        const path = resolve(base, target);
        return name.endsWith('/')
          ? { pattern: `${name}*`, targets: [join(path, '*')] }
          : { pattern: name, targets: [path] };
      }),
    packages: new Map(entries.filter(([, target]) => !target.startsWith('.'))),
  };
}

function toAliases({ baseUrl, paths = {}, pathsFrom = '' }: Options, root: string): Aliases {
  const entries = Object.entries(paths).map(([pattern, targets]: [string, unknown]) => ({
    pattern,
    targets: [targets]
      .flat()
      .filter((target) => typeof target === 'string')
      .map((target) => placeOf(target, baseUrl ?? pathsFrom, root)),
  }));
  return { baseUrl, paths: entries.sort((a, b) => rankOf(b.pattern) - rankOf(a.pattern)) };
}

function candidates(specifier: string, { baseUrl, paths }: Aliases): readonly string[] {
  const mapped = paths.flatMap(({ pattern, targets }) => {
    const hole = pattern === specifier ? '' : holeIn(pattern, specifier);
    return hole === undefined ? [] : targets.map((target) => target.replace('*', () => hole));
  });
  return baseUrl === undefined ? mapped : [...mapped, resolve(baseUrl, specifier)];
}
