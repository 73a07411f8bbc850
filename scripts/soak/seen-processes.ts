import { readdir, readFile } from 'node:fs/promises';

/** Open file descriptors of a process; NaN where the system does not tell (only Linux does). */
export async function descriptorsOf(processId: number): Promise<number> {
  return (await readdir(`/proc/${processId}/fd`).catch(() => undefined))?.length ?? Number.NaN;
}

/**
 * Processes that were started with a variable of that value in their environment, by themselves or by one that was: orphans, too.
 * Undefined where the system does not tell.
 */
export async function processesWith(
  variable: string,
  value: string,
): Promise<readonly number[] | undefined> {
  const entries = await readdir('/proc').catch(() => undefined);
  if (entries === undefined || !entries.includes('self')) return undefined;
  const ids = entries.filter((name) => /^\d+$/u.test(name)).map(Number);
  const found = await Promise.all(
    ids.map(async (id) =>
      (await readFile(`/proc/${id}/environ`, 'utf8').catch(() => ''))
        .split('\0')
        .includes(`${variable}=${value}`)
        ? [id]
        : [],
    ),
  );
  return found.flat();
}

/** Files and folders below a folder. */
export async function countFiles(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).length;
}
