import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

/** Signature and length of a record's fixed part (APPNOTE 4.3.7, 4.3.12, 4.3.16). */
const local = { length: 30 };
const central = { signature: 0x0201_4b50, length: 46 };
const end = { signature: 0x0605_4b50, length: 22 };
const stored = 0;

/** The files of an archive by name, as its central directory lists them; stored and deflated ones only, which is what packers of extensions write. */
export async function readZip(path: string): Promise<ReadonlyMap<string, Buffer>> {
  const bytes = await readFile(path);
  const tail = findEnd(bytes);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(tail + 16);
  for (let left = bytes.readUInt16LE(tail + 10); left > 0; left -= 1) {
    if (bytes.readUInt32LE(at) !== central.signature)
      throw new Error(`${path} is no sound archive: no directory entry stands at byte ${at}.`);
    const [nameLength, extraLength, commentLength] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const name = bytes.toString('utf8', at + central.length, at + central.length + nameLength);
    const start = bytes.readUInt32LE(at + 42);
    const data =
      start + local.length + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const packed = bytes.subarray(data, data + bytes.readUInt32LE(at + 20));
    files.set(name, bytes.readUInt16LE(at + 10) === stored ? packed : inflateRawSync(packed));
    at += central.length + nameLength + extraLength + commentLength;
  }
  return files;
}

function findEnd(bytes: Buffer): number {
  for (let at = bytes.length - end.length; at >= 0; at -= 1) {
    if (bytes.readUInt32LE(at) === end.signature) return at;
  }
  throw new Error('The file is no archive: it has no end record.');
}
