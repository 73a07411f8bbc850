import { createShelf } from './shelf.ts';
import type { SourceFile } from './source-file.ts';

/** The trees of files that the linter has just had, so that a file that others import need not be parsed for them again. */
export interface RecentlyLinted {
  add(file: SourceFile): void;
  /** The file as the linter had it, if that was this text. */
  find(path: string, text: string): SourceFile | undefined;
}

/** The latest trees are kept, of so many characters of text. */
export function createRecentlyLinted(maximalText: number): RecentlyLinted {
  const files = new Map<string, SourceFile>();
  const shelf = createShelf(maximalText);
  return {
    add(file) {
      files.set(file.path, file);
      shelf.put(file.path, file.text.length);
      for (const path of shelf.trim()) files.delete(path);
    },
    find(path, text) {
      const file = files.get(path);
      return file?.text === text ? file : undefined;
    },
  };
}
