import type { ModuleReader } from './module-reader.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** False when neither a file nor anything that it imports may check a client out or names a driver or a library, and nobody gives it a handle: no rule finds anything in it. Only texts are looked at. */
export function reachesPool(file: SourceFile, reader: ModuleReader): boolean {
  return reader.leadsToCheckout?.(file) !== false || reader.leadsToDriver?.(file) !== false;
}

/** A reader that reads only files that lead to a checkout. */
export function nearOnly(reader: ModuleReader): ModuleReader {
  return {
    ...reader,
    read(specifier, importer) {
      const file = reader.read(specifier, importer);
      return file !== undefined && reader.leadsToCheckout?.(file) !== false ? file : undefined;
    },
  };
}
