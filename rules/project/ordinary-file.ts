import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';

export interface ReadLimits {
  /** In bytes. */
  readonly longest: number;
  /** Left out where it does. */
  readonly followsLink?: boolean;
}

export interface OrdinaryFile {
  readonly kind: 'read';
  readonly bytes: Buffer;
  /** In milliseconds since 1970. */
  readonly changedMs: number;
  /** Of its permissions. */
  readonly mode: number;
}

export interface Unread {
  readonly kind: 'unread';
  /** Node's word for why; `EINVAL` for what is no ordinary file, `EFBIG` for what is too long. */
  readonly code: string;
}

/**
 * Reads an ordinary file of bounded length, and waits for nothing else: in the place of a file that is asked for by its name there may be a
 * pipe that nobody writes to, a device without end, or a link to either. All files that strangers may have written are read here.
 */
export function readOrdinary(
  path: string,
  { longest, followsLink = true }: ReadLimits,
): OrdinaryFile | Unread {
  // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has no such flags.
  const [isPatient = 0, isDirect = 0] = [constants.O_NONBLOCK, constants.O_NOFOLLOW];
  let file: number | undefined;
  try {
    // Some devices act on being opened.
    if (!(followsLink ? statSync(path) : lstatSync(path)).isFile()) return unread('EINVAL');
    file = openSync(path, constants.O_RDONLY | isPatient | (followsLink ? 0 : isDirect));
    const stats = fstatSync(file);
    if (!stats.isFile()) return unread('EINVAL');
    if (stats.size > longest) return unread('EFBIG');
    const bytes = readBytes(file, stats.size);
    return { kind: 'read', bytes, changedMs: stats.mtimeMs, mode: stats.mode };
  } catch (failure) {
    return unread(codeOf(failure));
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** No more than the file had when it was looked at: it may grow without end. */
function readBytes(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function codeOf(failure: unknown): string {
  return failure instanceof Error && 'code' in failure ? String(failure.code) : 'EIO';
}

function unread(code: string): Unread {
  return { kind: 'unread', code };
}
