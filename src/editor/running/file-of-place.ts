import { isAbsolute, normalize } from 'node:path';

/**
 * The file that an application names, as a path of this machine's own disks; undefined for anything else. An application under watch may
 * say what it likes: what looks like an address, lies on another machine (`\\host\share`, to which Windows would sign in) or is relative is no file.
 */
export function fileOfPlace(file: string): string | undefined {
  if (file.includes('\0') || /^[\\/]{2}/u.test(file) || !isAbsolute(file)) return undefined;
  return normalize(file);
}
