import { readdirSync, realpathSync, statSync } from 'node:fs';
import { readOrdinary } from './ordinary-file.ts';

/** What the disk says of a path: undefined, or nothing, where it says nothing. The only code of the analysis that asks it, so a build for a browser replaces this one. */
export interface Disk {
  readState(path: string): DiskState | undefined;
  /** Of an ordinary file, up to so many bytes. */
  textOf(path: string, longest: number): string | undefined;
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
  textOf(path, longest) {
    const read = readOrdinary(path, { longest });
    return read.kind === 'read' ? read.bytes.toString('utf8') : undefined;
  },
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
