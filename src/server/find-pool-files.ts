import { stat } from 'node:fs/promises';
import { findFiles } from '../lint/find-files.ts';
import type { SourceText } from '../lint/linter.ts';
import { isTooLarge, mayMakePool } from '../lint/may-use-pool.ts';
import { readSource } from '../lint/read-source.ts';
import { mostFiles, type HostFiles } from './host.ts';

/** Files that are looked at together. */
const batch = 16;

/** Finds files that look as if they made a pool; one without a word of that is read once for as long as it does not change. */
export function createPoolFileFinder(most = mostFiles): HostFiles['withPools'] {
  let stampsWithoutPool: ReadonlyMap<string, string> = new Map();
  return async (folders) => {
    const { files } = folders.length === 0 ? { files: [] } : await findFiles(folders, '/');
    const before = stampsWithoutPool;
    const without = new Map<string, string>();
    const found: SourceText[] = [];
    const look = async (path: string): Promise<void> => {
      const stamp = await stampOf(path);
      if (stamp === undefined) return;
      const text = before.get(path) === stamp ? undefined : readText(path);
      if (text === undefined) without.set(path, stamp);
      else found.push({ path, text });
    };
    const looked = files.slice(0, most);
    for (let start = 0; start < looked.length; start += batch)
      await Promise.all(looked.slice(start, start + batch).map(look));
    stampsWithoutPool = without;
    return { files: found.sort((a, b) => (a.path < b.path ? -1 : 1)), isCut: files.length > most };
  };
}

/** Undefined for what cannot be read. */
export async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return undefined;
  }
}

/** Undefined where no pool is made. */
function readText(path: string): string | undefined {
  const text = readSource(path);
  return !isTooLarge(text) && mayMakePool(text) ? text : undefined;
}
