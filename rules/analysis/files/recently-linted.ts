import type { SourceFile } from './source-file.ts';

/** The trees of files that the linter has just had, so that a file that others import need not be parsed for them again. */
export interface RecentlyLinted {
  add(file: SourceFile): void;
  /** The file as the linter had it, if that was this text. */
  find(path: string, text: string): SourceFile | undefined;
}

/** So many trees are kept, the latest: a few megabytes. */
const maximalFiles = 40;

export function createRecentlyLinted(): RecentlyLinted {
  const files = new Map<string, SourceFile>();
  return {
    add(file) {
      files.delete(file.path);
      files.set(file.path, file);
      const [oldest] = files.keys();
      if (files.size > maximalFiles && oldest !== undefined) files.delete(oldest);
    },
    find(path, text) {
      const file = files.get(path);
      return file?.text === text ? file : undefined;
    },
  };
}
