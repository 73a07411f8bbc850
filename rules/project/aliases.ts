import { dirname, join, resolve } from 'node:path';
import type { FileStates } from './file-states.ts';
import { holeIn, rankOf } from './package-targets.ts';
import type { Packages } from './packages.ts';
import {
  createConfigReader,
  placeOf,
  type Config,
  type ConfigReader,
  type Options,
} from './tsconfig.ts';

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
