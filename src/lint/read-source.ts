import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { withoutMark } from '../../rules/project/file-source.ts';

/** In bytes. Larger files are generated, and a workspace may hold one of any size. */
export const longestSource = 16_000_000;

interface Limits {
  /** In bytes. */
  readonly longest?: number;
  readonly followsLink?: boolean;
}

/** The text of an ordinary file as an editor shows it, without a byte order mark; empty for what is none, cannot be read, or is too long. Never rejects, and never waits for a pipe. */
export async function readSource(
  path: string,
  { longest = longestSource, followsLink = true }: Limits = {},
): Promise<string> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has no such flags.
  const [isPatient = 0, isDirect = 0] = [constants.O_NONBLOCK, constants.O_NOFOLLOW];
  try {
    await using file = await open(
      path,
      constants.O_RDONLY | isPatient | (followsLink ? 0 : isDirect),
    );
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: 0 }));
    if (size > longest) return '';
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
    return withoutMark(buffer.toString('utf8', 0, bytesRead));
  } catch {
    return '';
  }
}
