import { hostWithoutFiles, type Host } from './host.ts';

/** A host that sees the files of this machine. */
export function createNodeHost(): Host {
  return hostWithoutFiles;
}
