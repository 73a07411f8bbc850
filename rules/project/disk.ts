import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** What the disk says of a path: undefined, or nothing, where it says nothing. The only code of the analysis that opens a file, so a build for a browser replaces this one. */
export interface Disk {
  readState(path: string): DiskState | undefined;
  textOf(path: string): string | undefined;
  namesIn(folder: string): readonly string[];
  /** Where a path leads when symbolic links are followed. */
  realPathOf(path: string): string | undefined;
}

export interface DiskState {
  readonly isFile: boolean;
  readonly isFolder: boolean;
  /** In bytes. */
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly changedMs: number;
  /** Another one when the file or folder has changed, as far as the file system tells. */
  readonly stamp: string;
}

export const disk: Disk = {
  readState(path) {
    // Beside a missing file there are loops of links, names that are too long, folders without permission.
    const stats = orUndefined(() => statSync(path, { throwIfNoEntry: false }));
    if (stats === undefined) return undefined;
    const { size, mtimeMs, ctimeMs, ino } = stats;
    return {
      isFile: stats.isFile(),
      isFolder: stats.isDirectory(),
      size,
      changedMs: Math.max(mtimeMs, ctimeMs),
      stamp: `${mtimeMs} ${ctimeMs} ${size} ${ino}`,
    };
  },
  textOf: (path) => orUndefined(() => readFileSync(path, 'utf8')),
  namesIn: (folder) => orUndefined(() => readdirSync(folder)) ?? [],
  realPathOf: (path) => orUndefined(() => realpathSync(path)),
};

function orUndefined<Result>(ask: () => Result): Result | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
