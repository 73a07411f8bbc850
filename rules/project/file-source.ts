/** Texts that stand in front of the disk: the documents that an editor has open, saved or not. It is asked in the middle of a run, so it answers at once. */
export interface FileSource {
  /** Whether its texts never change, so that asking once is enough. */
  readonly isFixed?: boolean;
  /** Whether what was seen of the disk counts to the end, as for a command that reports of one moment. */
  readonly isOneRow?: boolean;
  /** What is open under an absolute path, in the spelling of `paths`; undefined where the disk has the word. */
  textOf(path: string): OpenText | undefined;
  /** Is told in each run of every path that is looked at for it, whether something is there or not, however long ago the look was. */
  readonly note?: (path: string) => void;
  /** The absolute paths of all that is open. What exists only here exists all the same, and so do the folders around it. */
  paths(): Iterable<string>;
}

export interface OpenText {
  readonly text: string;
  /** Another one whenever the text is another one; it may begin anew when a document is opened again. */
  readonly version: number | string;
}

/** For each folder, the names in it that lead to what is open. */
export function namesByFolder(
  paths: Iterable<string>,
  dirname: (path: string) => string,
  basename: (path: string) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const path of paths) {
    for (
      let [each, folder] = [path, dirname(path)];
      folder !== each;
      [each, folder] = [folder, dirname(folder)]
    ) {
      const inside = names.get(folder) ?? new Set();
      if (inside.has(basename(each))) break;
      names.set(folder, inside.add(basename(each)));
    }
  }
  return names;
}

/** A text as ESLint and most editors have it: the byte order mark that a file may begin with is no part of it. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
