import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { createWork, type Work } from '../globs/work.ts';
import { foldersUp } from '../../rules/project/folders-up.ts';
import { readIgnoreRules, type IgnoreRules } from './ignore-rules.ts';
import { slashed } from '../files/slashed.ts';
import { readSource } from './read-source.ts';

/** What git ignores of a folder and below it. Paths are absolute. */
export interface Ignored {
  has(path: string, isFolder: boolean): boolean;
  /** The same with what the `.gitignore` of a folder in it says. */
  with(folder: string): Ignored;
}

export const ignoreFileName = '.gitignore';

/** In bytes, many times what people write into a `.gitignore`. Larger ones ignore nothing. */
const longestIgnoreFile = 1_000_000;

/** What git ignores of a folder by the files above it, up to its repository; undefined where that is all of it. */
export function ignoredIn(folder: string): Ignored | undefined {
  const above = foldersUp(folder);
  const root = above.findIndex((each) => existsSync(join(each, '.git')));
  let ignored = createIgnored([], createWork());
  for (const each of above.slice(1, root + 1).reverse()) {
    if (each !== above[root] && ignored.has(each, true)) return undefined;
    ignored = ignored.with(each);
  }
  return root > 0 && ignored.has(folder, true) ? undefined : ignored;
}

interface Lines {
  readonly folder: string;
  readonly say: IgnoreRules;
}

/** By files from the innermost to the outermost. */
function createIgnored(files: readonly Lines[], work: Work): Ignored {
  return {
    has(path, isFolder) {
      work.grant();
      for (const { folder, say } of files) {
        const said = say(slashed(path.slice(folder.length)), isFolder);
        if (said !== undefined) return said;
      }
      return false;
    },
    with(folder) {
      const text = readSource(join(folder, ignoreFileName), {
        longest: longestIgnoreFile,
        // As git: a link ignores nothing.
        followsLink: false,
      });
      if (text === '') return this;
      const lines = { folder: join(folder, sep), say: readIgnoreRules(text, work) };
      return createIgnored([lines, ...files], work);
    },
  };
}
