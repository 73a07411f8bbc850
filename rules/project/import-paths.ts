import { basename, dirname, join, resolve } from 'node:path';
import { createAliasFinder } from './aliases.ts';
import type { FileStates } from './file-states.ts';
import { createPackages, isInNodeModules } from './packages.ts';
import type { SourceFile } from '../syntax/source-file.ts';

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
