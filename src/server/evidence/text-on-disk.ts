import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { withoutMark } from '../../../rules/project/file-source.ts';
import type { TextOnDisk } from '../host.ts';

/** Larger files are generated. */
const longestFile = 2_000_000;

/** Reads an ordinary file through one handle, so that the time is that of the text. Undefined for what cannot be read, is no file, or is too large. */
export async function readTextOnDisk(path: string): Promise<TextOnDisk | undefined> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has no such flag.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > longestFile) return undefined;
    const text = await file.readFile('utf8');
    return { text: withoutMark(text), changedAt: stat.mtimeMs };
  } catch {
    return undefined;
  }
}
