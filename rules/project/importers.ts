import { basename, dirname } from 'node:path';
import type { FileStates } from './file-states.ts';
import { createManifestReader } from './manifests.ts';
import { packageAbove, type Sources } from './project-texts.ts';
import { specifiersIn } from './import-reachability.ts';

/** The paths of the files of the project that may import a file, by what their imports are called; undefined where the project is too large to look through. */
export type ImportersOf = (path: string) => readonly string[] | undefined;

export function createImporters(fileStates: FileStates, { rootOf, below }: Sources): ImportersOf {
  const specifiersAt = fileStates.remember(specifiersIn);
  const manifestIn = createManifestReader(fileStates);
  return (path) => {
    const names = new Set([stemOf(path), basename(dirname(path))]);
    const own = manifestIn(packageAbove(dirname(path), fileStates))?.name;
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
