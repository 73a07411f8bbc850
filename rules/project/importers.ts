import { basename, dirname } from 'node:path';
import type { FileLooks } from './file-looks.ts';
import { createManifestReader } from './manifests.ts';
import { packageAbove, type Sources } from './project-texts.ts';
import { specifiersIn } from './reach.ts';

/** The paths of the files of the project that may import a file, by what their imports are called; undefined where the project is too large to look through. */
export type ImportersOf = (path: string) => readonly string[] | undefined;

export function createImporters(looks: FileLooks, { rootOf, below }: Sources): ImportersOf {
  const specifiersAt = looks.remember(specifiersIn);
  const manifestIn = createManifestReader(looks);
  return (path) => {
    const names = new Set([stemOf(path), basename(dirname(path))]);
    const own = manifestIn(packageAbove(dirname(path), looks))?.name;
    const mayName = (specifier: string): boolean =>
      names.has(stemOf(specifier)) ||
      /^[.\/]*$/u.test(specifier) ||
      specifier === own ||
      (typeof own === 'string' && specifier.startsWith(`${own}/`));
    return below(rootOf(dirname(path)))?.filter((each) => specifiersAt(each)?.some(mayName));
  };
}

function stemOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/u, '');
}
