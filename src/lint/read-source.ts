import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { withoutMark } from '../../rules/project/file-source.ts';

/** In bytes. Larger files are generated, and a workspace may hold one of any size. */
export const longestSource = 16_000_000;

/** The text of an ordinary file as an editor shows it, without a byte order mark; empty for what is none, cannot be read, or is longer than `longest` bytes. Never rejects, and never waits for a pipe. */
export async function readSource(path: string, longest = longestSource): Promise<string> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has no such flag.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: 0 }));
    if (size > longest) return '';
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
    return withoutMark(buffer.toString('utf8', 0, bytesRead));
  } catch {
    return '';
  }
}
