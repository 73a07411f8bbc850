import { libraries } from '../model/libraries.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';

/** What a module imports stands at its top; the whole of a generated one may be megabytes. */
const longestTop = 20_000;

/** An export of a library's in a module that the library wrote: `PrismaClient` of `../generated/prisma/client`. */
export function generatedExport(file: SourceFile, name: string): AbstractValue | undefined {
  const library = libraries.find(
    ({ generates }) =>
      generates?.exported.includes(name) === true && generates.imports.test(topOf(file)),
  );
  return library && { kind: 'driver', driver: library, name };
}

/** A module that a library wrote. */
export function isGenerated(file: SourceFile): boolean {
  return libraries.some(({ generates }) => generates?.imports.test(topOf(file)) === true);
}

function topOf({ text }: SourceFile): string {
  return text.slice(0, longestTop);
}
