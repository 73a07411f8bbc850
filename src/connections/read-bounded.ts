import { constants } from 'node:fs';
import { open, opendir, realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** Longer files hold no addresses. */
const longestFile = 1024 * 1024;

export interface ReadRules {
  /** The folder that a link must not lead out of. */
  readonly within?: string;
  /** Refuses a file that group or others may read, as libpq does for passwords. */
  readonly isPrivate?: boolean;
}

export type BoundedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'open to others' };

/** The text of an ordinary file of bounded length; none for one that is missing, larger, a pipe or device, or leads elsewhere. Never rejects. */
export async function readBounded(
  path: string,
  { within, isPrivate = false }: ReadRules = {},
): Promise<BoundedText> {
  try {
    if (within !== undefined && !isInside(await realpath(path), await realpath(within)))
      return { kind: 'none' };
    // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has no such flag.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > longestFile) return { kind: 'none' };
    if (isPrivate && (stat.mode & 0o077) !== 0) return { kind: 'open to others' };
    const { bytesRead, buffer } = await file.read(Buffer.alloc(stat.size), 0, stat.size, 0);
    return { kind: 'text', text: buffer.toString('utf8', 0, bytesRead) };
  } catch {
    return { kind: 'none' };
  }
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** The first entries of a folder, in the order of their names; none when it cannot be read. */
export async function listFolder(path: string, most: number): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = [];
  try {
    for await (const entry of await opendir(path)) {
      entries.push({ name: entry.name, isFolder: entry.isDirectory() });
      if (entries.length >= most) break;
    }
  } catch {
    return [];
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
