import { sep } from 'node:path';

/** A path with slashes. A backslash that separates nothing is a letter of a name. */
export function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
