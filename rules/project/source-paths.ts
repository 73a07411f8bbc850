import { join, normalize, relative, sep } from 'node:path';
import type { FileStates } from './file-states.ts';
import type { ConfigReader, Options } from './tsconfig.ts';

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
export function createSourceFinder(
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
