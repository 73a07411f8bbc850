import { join } from 'node:path';
import type { FileStates } from './file-states.ts';

/** What a package.json says, as far as it is used here; its author may have written anything. */
export interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly workspaces?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly source?: unknown;
  readonly types?: unknown;
  readonly typings?: unknown;
  readonly module?: unknown;
  readonly main?: unknown;
  readonly tsconfig?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly peerDependencies?: unknown;
  readonly optionalDependencies?: unknown;
}

/** The manifest in a folder. */
export type ReadManifest = (folder: string) => Manifest | undefined;

export function createManifestReader(fileStates: FileStates): ReadManifest {
  const read = fileStates.remember((text): Manifest | undefined => {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  });
  return (folder) => read(join(folder, 'package.json'));
}
