import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** What stands at paths, each looked at once. */
export interface Fingerprints {
  /** Another one when the content of a file, the names in a folder or where it leads are others, and when something is there or gone. */
  of(path: string): string;
  /** Whether what stands there may have changed since a moment, in milliseconds since 1970. */
  mayHaveChangedSince(path: string, moment: number): boolean;
}

/** Larger files are not read, here as elsewhere. In bytes. */
const longestRead = 16_000_000;

/** What the clock of a file system may be behind that of the program. */
const grainMs = 20;

/** `own` are the files that the program itself writes: they are no news in their folders. */
export function createFingerprints(own: readonly string[]): Fingerprints {
  const ignored = new Set(own);
  const known = new Map<string, string>();
  const find = (path: string): string => {
    const stats = statsOf(path);
    if (stats === undefined) return '-';
    try {
      if (stats.isDirectory()) return folderPrint(path, ignored);
      if (!stats.isFile() || stats.size > longestRead) return `${stats.size} ${stats.mtimeMs}`;
      return digest(readFileSync(path));
    } catch {
      return '?';
    }
  };
  return {
    of(path) {
      const print = known.get(path) ?? find(path);
      known.set(path, print);
      return print;
    },
    mayHaveChangedSince: (path, moment) => changedMs(path) > moment - grainMs,
  };
}

/** A short text that no other content has. */
export function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

function folderPrint(folder: string, ignored: ReadonlySet<string>): string {
  const names = readdirSync(folder).filter((name) => !ignored.has(join(folder, name)));
  return digest([realpathSync.native(folder), ...names.sort()].join('\0'));
}

/** Where nothing is, the folder tells since when. */
function changedMs(path: string): number {
  const stats = statsOf(path);
  if (stats !== undefined) return Math.max(stats.mtimeMs, stats.ctimeMs);
  return path === dirname(path) ? 0 : changedMs(dirname(path));
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
