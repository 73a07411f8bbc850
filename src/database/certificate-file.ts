import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** In bytes. The certificate authorities of a whole system have a quarter of it. */
const longestFile = 1024 * 1024;

/**
 * The text of a certificate file. A file of a workspace may have named it, so that it may be a pipe that nobody writes to or a device
 * without an end.
 * @throws An error with a code, Node's or `EFBIG` and `EINVAL` for what is too large or no file.
 */
export function readCertificate(path: string): string {
  // Without O_NONBLOCK, opening a pipe would wait for its writer. Windows has no such flag.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw refusal('EINVAL', 'it is no ordinary file');
    if (stat.size > longestFile) throw refusal('EFBIG', 'it is larger than 1 MB');
    const buffer = Buffer.alloc(stat.size);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, stat.size, 0));
  } finally {
    closeSync(file);
  }
}

function refusal(code: 'EFBIG' | 'EINVAL', why: string): Error {
  return Object.assign(new Error(`${code}: ${why}, open`), { code });
}
