import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What `compilerOptions` of the nearest tsconfig.json or jsconfig.json say about names of modules. */
interface Aliases {
  /** Absolute; what a bare name may lie below. */
  readonly baseUrl: string | undefined;
  readonly paths: readonly { readonly pattern: string; readonly targets: readonly string[] }[];
}

/**
 * The absolute paths, without extension, that a module's name may stand for in a file of `folder`: its `paths` and `baseUrl`.
 * Empty for a name that no alias covers. Reads configuration files, and executes none.
 */
export function createAliasFinder(): (specifier: string, folder: string) => readonly string[] {
  const known = new Map<string, { readonly stamp: string; readonly aliases: Aliases | undefined }>();
  const aliasesOf = (path: string, stamp: string): Aliases | undefined => {
    const before = known.get(path);
    if (before?.stamp === stamp) return before.aliases;
    const aliases = readAliases(path);
    known.set(path, { stamp, aliases });
    return aliases;
  };
  return (specifier, folder) => {
    const config = nearestConfig(folder);
    const aliases = config === undefined ? undefined : aliasesOf(config.path, config.stamp);
    return aliases === undefined ? [] : candidates(specifier, aliases);
  };
}

function nearestConfig(folder: string): { path: string; stamp: string } | undefined {
  for (const name of ['tsconfig.json', 'jsconfig.json']) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true) return { path, stamp: `${stats.mtimeMs} ${stats.size}` };
  }
  const above = dirname(folder);
  return above === folder ? undefined : nearestConfig(above);
}

interface Config {
  readonly extends?: unknown;
  readonly compilerOptions?: { readonly baseUrl?: unknown; readonly paths?: unknown };
}

const maximalDepth = 5;

/** Follows `extends` to other files of the project; what packages share holds no aliases of it. */
function readAliases(path: string, depth = 0): Aliases | undefined {
  const config = readConfig(path);
  if (config === undefined || depth > maximalDepth) return undefined;
  const { baseUrl, paths } = config.compilerOptions ?? {};
  if (baseUrl === undefined && paths === undefined) return inheritedAliases(path, config, depth);
  const base = resolve(dirname(path), typeof baseUrl === 'string' ? baseUrl : '.');
  return { baseUrl: typeof baseUrl === 'string' ? base : undefined, paths: readPaths(paths, base) };
}

function inheritedAliases(path: string, config: Config, depth: number): Aliases | undefined {
  if (typeof config.extends !== 'string' || !config.extends.startsWith('.')) return undefined;
  const parent = resolve(dirname(path), config.extends);
  return readAliases(parent.endsWith('.json') ? parent : `${parent}.json`, depth + 1);
}

function readPaths(paths: unknown, base: string): Aliases['paths'] {
  if (typeof paths !== 'object' || paths === null) return [];
  return Object.entries(paths).map(([pattern, targets]: [string, unknown]) => ({
    pattern,
    targets: Array.isArray(targets) ? targets.filter((target) => typeof target === 'string').map((target) => resolve(base, target)) : [],
  }));
}

/** These files allow comments and trailing commas. */
function readConfig(path: string): Config | undefined {
  try {
    const text = readFileSync(path, 'utf8').replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu, '$1').replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu, '$1');
    const config: unknown = JSON.parse(text);
    return typeof config === 'object' && config !== null ? config : undefined;
  } catch {
    return undefined;
  }
}

function candidates(specifier: string, { baseUrl, paths }: Aliases): readonly string[] {
  const mapped = paths.flatMap(({ pattern, targets }) => {
    const hole = matchPattern(pattern, specifier);
    return hole === undefined ? [] : targets.map((target) => target.replace('*', () => hole));
  });
  return baseUrl === undefined ? mapped : [...mapped, resolve(baseUrl, specifier)];
}

/** What stands in the place of the pattern's star; empty for an exact match. */
function matchPattern(pattern: string, specifier: string): string | undefined {
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return pattern === specifier ? '' : undefined;
  const fits = specifier.startsWith(before) && specifier.endsWith(after) && specifier.length >= before.length + after.length;
  return fits ? specifier.slice(before.length, specifier.length - after.length) : undefined;
}
