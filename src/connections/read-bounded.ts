import { opendir, realpath } from 'node:fs/promises';
import { readOrdinary } from '../../rules/project/ordinary-file.ts';
import { isInside } from '../files/inside.ts';

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
  } catch {
    return { kind: 'none' };
  }
  const read = readOrdinary(path, { longest: longestFile });
  if (read.kind === 'unread') return { kind: 'none' };
  if (isPrivate && (read.mode & 0o077) !== 0) return { kind: 'open to others' };
  return { kind: 'text', text: read.bytes.toString('utf8') };
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
