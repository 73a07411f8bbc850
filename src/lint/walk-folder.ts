import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './code-of.ts';
import { ignoredIn, ignoreFileName, type Ignored } from './ignored.ts';

/** Which files of a folder are wanted, by their paths in it, with slashes. */
export interface Wanted {
  file(path: string): boolean;
  /** Whether a folder may have any. */
  folder(path: string): boolean;
}

export interface WalkedFolder {
  /** Absolute. */
  readonly files: readonly string[];
  /** Why folders could not be read, as codes of the operating system. */
  readonly failures: readonly string[];
}

/** Folders that are read at a time, each of which takes a file handle. */
const atATime = 4;

interface Folder {
  readonly path: string;
  /** What its entries are called in the folder that is walked, before their names. */
  readonly prefix: string;
  readonly ignored: Ignored;
}

/** The wanted files of a folder that git does not ignore. Links are not followed. */
export async function walkFolder(root: string, wanted: Wanted): Promise<WalkedFolder> {
  const files: string[] = [];
  const failures: string[] = [];
  const above = ignoredIn(root);
  const open: Folder[] = above === undefined ? [] : [{ path: root, prefix: '', ignored: above }];
  const visit = async ({ path, prefix, ignored: outer }: Folder): Promise<void> => {
    const { entries, failure } = await entriesOf(path);
    if (failure !== undefined) failures.push(failure);
    const hasOwn = entries.some(({ name }) => name === ignoreFileName);
    const ignored = hasOwn ? outer.with(path) : outer;
    for (const entry of entries.filter((each) => isWanted(each, prefix, wanted))) {
      const [at, isFolder] = [join(path, entry.name), entry.isDirectory()];
      if (ignored.has(at, isFolder)) continue;
      if (isFolder) open.push({ path: at, prefix: `${prefix}${entry.name}/`, ignored });
      else files.push(at);
    }
  };
  while (open.length > 0) await Promise.all(open.splice(-atATime).map(visit));
  return { files, failures };
}

interface Entries {
  readonly entries: readonly Dirent[];
  readonly failure?: string;
}

/** Nothing for a folder that has gone meanwhile. */
async function entriesOf(path: string): Promise<Entries> {
  try {
    return { entries: await readdir(path, { withFileTypes: true }) };
  } catch (failure) {
    const code = codeOf(failure);
    return code === 'ENOENT' ? { entries: [] } : { entries: [], failure: code };
  }
}

function isWanted(entry: Dirent, prefix: string, wanted: Wanted): boolean {
  const path = prefix + entry.name;
  return entry.isDirectory() ? wanted.folder(path) : entry.isFile() && wanted.file(path);
}
