import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Looks for the first of several names in a folder and above it: up to the root of the repository that the folder belongs to. Where there is
 * no repository, a file above the folder counts only if the user or the system owns it: it is run, and others may write in a folder far above.
 */
export function findUpwards(folder: string, names: readonly string[]): string | undefined {
  const root = repositoryOf(folder);
  for (let at = folder; ; at = dirname(at)) {
    const found = names
      .map((name) => join(at, name))
      .find((path) => existsSync(path) && (root !== undefined || at === folder || isTrusted(path)));
    if (found !== undefined || at === root || at === dirname(at)) return found;
  }
}

/** The nearest folder with a `.git`, from a folder upwards. */
export function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return folder === dirname(folder) ? undefined : repositoryOf(dirname(folder));
}

function isTrusted(path: string): boolean {
  // Windows has no numbers for users.
  const user = process.getuid?.();
  return user === undefined || [user, 0].includes(statSync(path).uid);
}
