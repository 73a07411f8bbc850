import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  /** Writes files by their path relative to the folder. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

export async function createTemporaryFolder(
  files: Readonly<Record<string, string>> = {},
): Promise<TemporaryFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'poolguard-')));
  const folder: TemporaryFolder = {
    path,
    write: async (more) => {
      await Promise.all(
        Object.entries(more).map(([name, text]) => writeInto(join(path, name), text)),
      );
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
  await folder.write(files);
  return folder;
}

async function writeInto(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
