import { createManifestReader } from './manifests.ts';
import type { FileStates } from './file-states.ts';
import { installedAbove } from './packages.ts';

/** The version of a package that Node.js would load for the code in a folder; undefined where none is installed, or it does not say. */
export type VersionIn = (name: string, folder: string) => string | undefined;

export function createInstalledVersions(fileStates: FileStates): VersionIn {
  const manifestAt = createManifestReader(fileStates);
  return (name, folder) => {
    const installed = installedAbove(name, folder, fileStates);
    const version = installed === undefined ? undefined : manifestAt(installed)?.version;
    return typeof version === 'string' ? version : undefined;
  };
}
