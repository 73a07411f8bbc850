import type { ModuleReader } from './module-reader.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** False when neither a file nor anything that it imports may check a client out or names a driver or a library: no rule finds anything in it. Only texts are looked at. */
export function reachesPool(file: SourceFile, reader: ModuleReader): boolean {
  return reader.leadsToCheckout?.(file) !== false || reader.leadsToDriver?.(file) !== false;
}
