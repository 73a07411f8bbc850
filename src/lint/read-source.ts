import { withoutMark } from '../../rules/project/file-source.ts';
import { readOrdinary, type ReadLimits } from '../../rules/project/ordinary-file.ts';

/** In bytes. Larger files are generated, and a workspace may hold one of any size. */
export const longestSource = 16_000_000;

/** The text of an ordinary file as an editor shows it, without a byte order mark; empty for what is none, cannot be read, or is too long. */
export function readSource(
  path: string,
  { longest = longestSource, ...limits }: Partial<ReadLimits> = {},
): string {
  const read = readOrdinary(path, { longest, ...limits });
  return read.kind === 'read' ? withoutMark(read.bytes.toString('utf8')) : '';
}
