import { createManifestReader } from './manifests.ts';
import type { FileLooks } from './file-looks.ts';
import { installedAbove } from './packages.ts';

/** The version of a package that Node.js would load for the code in a folder; undefined where none is installed, or it does not say. */
export type VersionIn = (name: string, folder: string) => string | undefined;

export function createInstalledVersions(looks: FileLooks): VersionIn {
  const manifestAt = createManifestReader(looks);
  return (name, folder) => {
    const installed = installedAbove(name, folder, looks);
    const version = installed === undefined ? undefined : manifestAt(installed)?.version;
    return typeof version === 'string' ? version : undefined;
  };
}
