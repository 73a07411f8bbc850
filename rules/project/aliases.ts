import { dirname, join, resolve, sep } from 'node:path';
import type { FileLooks } from './file-looks.ts';
import { parseLooseJson } from './loose-json.ts';
import { holeIn } from './package-targets.ts';

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

interface Config {
  readonly extends?: unknown;
  readonly references?: unknown;
  readonly compilerOptions?: { readonly baseUrl?: unknown; readonly paths?: unknown };
  readonly imports?: unknown;
  readonly importMap?: unknown;
}

const configNames = ['tsconfig.json', 'jsconfig.json', 'deno.json', 'deno.jsonc'];

const maximalDepth = 5;

/** Reads `paths` and `baseUrl` of the nearest configuration, or its import map; executes none. */
export function createAliasFinder(looks: FileLooks): AliasFinder {
  const configAt = looks.remember((text): Config => parseLooseJson(text));
  const aliasesFor = looks.oncePerRun((folder): Aliases | undefined => {
    const path = configNames.map((name) => join(folder, name)).find((each) => looks.isFile(each));
    if (path !== undefined) return aliasesOf(path, configAt);
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

type ReadConfig = (path: string) => Config | undefined;

/** Follows `extends` to other files of the project; what packages share holds no aliases of it. */
function aliasesOf(path: string, configAt: ReadConfig, depth = 0): Aliases | undefined {
  const config = configAt(path) ?? notGenerated(path);
  if (config === undefined || depth > maximalDepth) return undefined;
  if (config.imports !== undefined) return readImports(config.imports, dirname(path));
  const { baseUrl, paths } = config.compilerOptions ?? {};
  if (baseUrl === undefined && paths === undefined)
    return firstAliases(relatedTo(path, config), configAt, depth);
  const base = resolve(dirname(path), typeof baseUrl === 'string' ? baseUrl : '.');
  return { baseUrl: typeof baseUrl === 'string' ? base : undefined, paths: readPaths(paths, base) };
}

/** What a framework writes when it builds, for as long as nobody has built: SvelteKit 2, "Configuration", `files.lib`. */
const generated: readonly { readonly path: string; readonly config: Config }[] = [
  {
    path: join('.svelte-kit', 'tsconfig.json'),
    config: {
      compilerOptions: { paths: { $lib: ['../src/lib'], '$lib/*': ['../src/lib/*'] } },
    },
  },
];

function notGenerated(path: string): Config | undefined {
  return generated.find((each) => path.endsWith(sep + each.path))?.config;
}

function firstAliases(
  paths: readonly string[],
  configAt: ReadConfig,
  depth: number,
): Aliases | undefined {
  for (const path of paths) {
    const aliases = aliasesOf(path, configAt, depth + 1);
    if (aliases !== undefined) return aliases;
  }
  return undefined;
}

/** What a configuration inherits from, those that one which compiles nothing itself refers to, and the file of an import map. */
function relatedTo(
  path: string,
  { extends: parents, references, importMap }: Config,
): readonly string[] {
  const inherited = (
    Array.isArray(parents) ? parents.toReversed() : [parents]
  ) as readonly unknown[];
  const referred = Array.isArray(references)
    ? references
        .slice(0, maximalDepth)
        .map((each: unknown) => (each as { path?: unknown } | null)?.path)
    : [];
  const beside = (name: string): string => resolve(dirname(path), name);
  return [
    ...inherited
      .filter((each) => typeof each === 'string' && each.startsWith('.'))
      .map((each) => withExtension(beside(each as string))),
    // A reference to a folder is another package, whose aliases are its own.
    ...referred
      .filter((each) => typeof each === 'string' && each.endsWith('.json'))
      .map((each) => beside(each as string)),
    ...(typeof importMap === 'string' ? [beside(importMap)] : []),
  ];
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

function withExtension(path: string): string {
  return path.endsWith('.json') ? path : `${path}.json`;
}

function readPaths(paths: unknown, base: string): Aliases['paths'] {
  if (typeof paths !== 'object' || paths === null) return [];
  return Object.entries(paths).map(([pattern, targets]: [string, unknown]) => ({
    pattern,
    targets: Array.isArray(targets)
      ? targets
          .filter((target) => typeof target === 'string')
          .map((target) => resolve(base, target))
      : [],
  }));
}

function candidates(specifier: string, { baseUrl, paths }: Aliases): readonly string[] {
  const mapped = paths.flatMap(({ pattern, targets }) => {
    const hole = pattern === specifier ? '' : holeIn(pattern, specifier);
    return hole === undefined ? [] : targets.map((target) => target.replace('*', () => hole));
  });
  return baseUrl === undefined ? mapped : [...mapped, resolve(baseUrl, specifier)];
}
