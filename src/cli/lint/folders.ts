import { statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryOf } from '../../files/inside.ts';

/**
 * Looks for the first of several names in a folder and above it: up to the root of the repository that the folder belongs to. Where there is
 * no repository, a file above the folder counts only if the user or the system owns it: it is run, and others may write in a folder far above.
 */
export function findUpwards(folder: string, names: readonly string[]): string | undefined {
  const root = repositoryOf(folder);
  for (let at = folder; ; at = dirname(at)) {
    const found = names
      .map((name) => join(at, name))
      .find((path) => counts(path, root !== undefined || at === folder));
    if (found !== undefined || at === root || at === dirname(at)) return found;
  }
}

/** Whether there is an ordinary file, of the user or the system where others may write. */
function counts(path: string, isTrusted: boolean): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && (isTrusted || isOwn(stats));
  } catch {
    return false;
  }
}

function isOwn({ uid }: Stats): boolean {
  // Windows has no numbers for users.
  const user = process.getuid?.();
  return user === undefined || [user, 0].includes(uid);
}
