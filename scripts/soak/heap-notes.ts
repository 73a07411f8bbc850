import { mkdirSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const bytesInMegabyte = 1_048_576;

/** Where processes that are watched note what their heaps hold. */
export interface HeapNotes {
  /** What Node gets before the program, so that it notes. */
  readonly execArgv: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** MB after a full collection, of all threads of a process that are alive; NaN before its first note. */
  heapOf(processId: number): Promise<number>;
}

/** A thread that was ended from outside leaves its note, which counts no longer than this many pauses. */
const pausesUntilStale = 10;

export function createHeapNotes(folder: string, preload: string, pauseMs: number): HeapNotes {
  mkdirSync(folder, { recursive: true });
  return {
    execArgv: ['--import', pathToFileURL(preload).href],
    variables: { POOLGUARD_SOAK_NOTES: folder, POOLGUARD_SOAK_PAUSE_MS: String(pauseMs) },
    async heapOf(processId) {
      const names = (await readdir(folder)).filter((name) => name.startsWith(`${processId}-`));
      const heaps = (
        await Promise.all(
          names.map((name) => readNote(join(folder, name), pauseMs * pausesUntilStale)),
        )
      ).filter((heap) => heap !== undefined);
      return heaps.length === 0 ? Number.NaN : heaps.reduce((sum, heap) => sum + heap, 0);
    },
  };
}

async function readNote(path: string, freshMs: number): Promise<number | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    const text = await readFile(path, 'utf8');
    return text.endsWith('\n') && Date.now() - mtimeMs < freshMs
      ? Number(text) / bytesInMegabyte
      : undefined;
  } catch {
    return undefined;
  }
}
