import { createFileLooks } from '../../rules/analysis/files/file-looks.ts';
import { createDriverNear } from '../lint/driver-near.ts';
import { hostWithoutFiles, type Host } from './host.ts';

/** A host that sees the files of this machine. */
export function createNodeHost(): Host {
  const drivers = createDriverNear(createFileLooks());
  return { ...hostWithoutFiles, isDriverNear: (path, folder) => drivers.isNear(path, folder), forgetFiles: () => { drivers.invalidate(); } };
}
