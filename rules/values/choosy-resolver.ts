import { packageNamed } from '../project/import-paths.ts';
import type { ModuleReader } from '../project/module-reader.ts';
import { oncePerFile } from '../syntax/once-per-file.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import { createResolver } from './create-resolver.ts';
import type { Resolver } from './resolver.ts';

/** A resolver like another one that opens only files worth opening for one kind of question, judged by their text. */
export type Choosy = (resolver: Resolver) => Resolver;

/** Such a resolver is made once for each other one. Files that hand on what others export are always opened. */
export function choosy(
  isWorthOpening: (file: SourceFile, packageFor?: ModuleReader['packageFor']) => boolean,
): Choosy {
  const made = new WeakMap<Resolver, Resolver>();
  return (resolver) => {
    const before = made.get(resolver);
    if (before !== undefined) return before;
    const packageFor: ModuleReader['packageFor'] = (specifier, importer) =>
      resolver.reader.packageFor?.(specifier, importer) ?? packageNamed(specifier);
    const chosen = createResolver({
      packageFor,
      open: (path) => resolver.reader.open?.(path),
      nesting: resolver.reader.nesting,
      read(specifier, importer) {
        const file = resolver.reader.read(specifier, importer);
        const isOpened = file !== undefined && (isWorthOpening(file, packageFor) || handsOn(file));
        return isOpened ? file : undefined;
      },
    });
    made.set(resolver, chosen);
    made.set(chosen, chosen);
    return chosen;
  };
}

/** Such a file may export what another one declares. */
const handsOn = oncePerFile(({ text }) =>
  /\bexport\s*(?:type\s*)?[*{]|\bexports(?:\.\w+)?\s*=\s*require\b|\.\.\.require\b/.test(text),
);
