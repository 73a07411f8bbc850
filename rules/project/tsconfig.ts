import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { FileStates } from './file-states.ts';
import { parseLooseJson } from './loose-json.ts';

// Not by get-tsconfig: it opens files itself, so what is open in an editor and what a cache notes would be passed by, and a parent that is missing ends it.

/** A tsconfig.json, jsconfig.json or deno.json, whose author may have written anything. */
export interface Config {
  readonly extends?: unknown;
  readonly references?: unknown;
  readonly compilerOptions?: Readonly<Partial<Record<keyof Options, unknown>>> | null;
  readonly imports?: unknown;
  readonly importMap?: unknown;
}

/** Of `compilerOptions`, what is used here; places are absolute. */
export interface Options {
  readonly baseUrl?: string;
  readonly outDir?: string;
  readonly rootDir?: string;
  readonly paths?: object;
  /** The folder of the file that says `paths`. */
  readonly pathsFrom?: string;
}

export interface ConfigReader {
  /** Undefined for a file that is missing, does not parse or was `seen`. */
  readonly configAt: (path: string, seen: ReadonlySet<string>) => Config | undefined;
  /** With what it inherits. Files that were `seen` count no more, so that a circle ends. */
  readonly optionsOf: (path: string, seen: Set<string>) => Options;
}

interface ConfigFinder {
  /** Paths, perhaps without extension, of the configuration that a package holds, as a file of a folder names it. */
  configsFor(specifier: string, folder: string): readonly string[];
}

/** Of the parents of one file, and of all files behind one. */
const [maximalParents, maximalFiles] = [20, 100];

export function createConfigReader(fileStates: FileStates, packages: ConfigFinder): ConfigReader {
  const read = fileStates.remember((text): Config => parseLooseJson(text));
  const configAt: ConfigReader['configAt'] = (path, seen) =>
    seen.has(path) || seen.size >= maximalFiles ? undefined : (read(path) ?? notGenerated(path));
  const parentsOf = (names: unknown, folder: string): readonly string[] =>
    [names]
      .flat()
      .filter((name) => typeof name === 'string')
      .slice(-maximalParents)
      .flatMap((name) => parentFor(name, folder, fileStates, packages) ?? []);
  const inherited = (path: string, root: string, seen: Set<string>): Options => {
    const config = configAt(path, seen);
    if (config === undefined) return {};
    seen.add(path);
    const folder = dirname(path);
    return parentsOf(config.extends, folder)
      .map((parent) => inherited(parent, root, seen))
      .concat(ownOptions(config, folder, root))
      .reduce((before, options) => ({ ...before, ...options }));
  };
  return { configAt, optionsOf: (path, seen) => inherited(path, dirname(path), seen) };
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

/** The file that `extends` names: TSConfig Reference, "Extends", and as Node.js finds packages. */
function parentFor(
  name: string,
  folder: string,
  fileStates: FileStates,
  packages: ConfigFinder,
): string | undefined {
  const named =
    name.startsWith('.') || isAbsolute(name)
      ? [resolve(folder, name)]
      : packages.configsFor(name, folder);
  const paths = named.flatMap((each) => [each, `${each}.json`, join(each, 'tsconfig.json')]);
  return paths.find((each) => fileStates.isFile(each)) ?? named[0];
}

const placed = ['baseUrl', 'outDir', 'rootDir'] as const;

function ownOptions({ compilerOptions }: Config, folder: string, root: string): Options {
  const options = compilerOptions ?? {};
  const places = placed.flatMap((name) => {
    const place = options[name];
    return typeof place === 'string' ? [[name, placeOf(place, folder, root)]] : [];
  });
  const { paths } = options;
  return {
    ...(Object.fromEntries(places) as Options),
    ...(typeof paths === 'object' && paths !== null && { paths, pathsFrom: folder }),
  };
}

/** `${configDir}` is the folder of the configuration that inherits, not of the one that says it. */
export function placeOf(path: string, folder: string, root: string): string {
  return resolve(
    folder,
    path.replace(/^\$\{configDir\}/u, () => root),
  );
}
