import { createFileLooks } from '../../rules/analysis/files/file-looks.ts';
import { createDriverNear } from '../lint/driver-near.ts';
import { findFiles } from '../lint/find-files.ts';
import { createLintThread } from '../lint/lint-thread.ts';
import { hostWithoutFiles, type Host } from './host.ts';

/**
 * A host that sees the files of this machine.
 * @param bundle the server's own file, absolute: its threads start from it
 */
export function createNodeHost(bundle: string): Host {
  const drivers = createDriverNear(createFileLooks());
  return {
    ...hostWithoutFiles,
    isDriverNear: (path, folder) => drivers.isNear(path, folder),
    forgetFiles: () => { drivers.invalidate(); },
    files: {
      sourcesIn: async (folder) => (await findFiles([folder], folder)).files,
      startLinting: (start) => createLintThread(bundle, start),
    },
  };
}
