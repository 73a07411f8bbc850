import type { FileSource } from './file-source.ts';
import type { Modules } from './modules.ts';

// Caches, keyed by the parser: what a run needs of other files is kept for as long as its parser lives.
const modulesByParser = new WeakMap<object, Modules>();
const sourceByParser = new WeakMap<object, FileSource>();

/** The other files as runs with one parser know them; made when the first asks. */
export function modulesOf(
  parser: object,
  make: (source: FileSource | undefined) => Modules,
): Modules {
  const known = modulesByParser.get(parser) ?? make(sourceByParser.get(parser));
  modulesByParser.set(parser, known);
  return known;
}

/**
 * From here on, runs with this parser find the texts of `source` where they look for other files, in front of the disk. Undefined
 * for the disk alone. The parser is the object of `languageOptions.parser`: an editor gives each of its servers one of its own.
 */
export function readThrough(parser: object, source: FileSource | undefined): void {
  modulesByParser.delete(parser);
  if (source === undefined) sourceByParser.delete(parser);
  else sourceByParser.set(parser, source);
}

/** Drops all that runs with this parser have kept of other files; later runs read them anew, through the same source. */
export function forget(parser: object): void {
  modulesByParser.delete(parser);
}
