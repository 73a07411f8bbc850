import { fileURLToPath } from 'node:url';

/** The path that a `file:` URL names, without its query, or a path as it is; null for other names. */
export function toPath(name: string): string | null {
  if (name.startsWith('file:')) {
    try {
      return fileURLToPath(name);
    } catch {
      return null;
    }
  }
  return /^(?:\/|[a-z]:[\\/]|\\\\)/iu.test(name) ? name.replace(/\?.*/su, '') : null;
}
