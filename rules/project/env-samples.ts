import { dirname, join } from 'node:path';
import type { FileStates } from './file-states.ts';

/** Variables of a package's environment as its sample file gives them, by name. */
export interface EnvSample {
  /** The file's name, such as `.env.example`. */
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Files that are meant for everybody to read. The real `.env` holds secrets and is never opened. */
const names = ['.env.example', '.env.sample', '.env.dist'] as const;

const highest = 30;

/** Finds the sample of the package that a folder belongs to: beside the nearest package.json. */
export function createEnvSamples(
  fileStates: FileStates,
): (folder: string) => EnvSample | undefined {
  const read = fileStates.remember(valuesIn);
  return fileStates.oncePerRun((folder) => {
    const root = packageFolder(folder, fileStates);
    for (const name of root === undefined ? [] : names) {
      const values = read(join(root ?? '', name));
      if (values !== undefined) return { name, values };
    }
    return undefined;
  });
}

function packageFolder(folder: string, fileStates: FileStates): string | undefined {
  let each = folder;
  for (let steps = 0; steps < highest; steps++) {
    if (fileStates.isFile(join(each, 'package.json'))) return each;
    const up = dirname(each);
    if (up === each) return undefined;
    each = up;
  }
  return undefined;
}

function valuesIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/u).flatMap((line) => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)/su.exec(line) ?? [];
    return name === undefined || value === undefined
      ? []
      : [[name, value.replace(/^(["'])(.*?)\1.*/su, '$2')] as const];
  });
  return new Map(lines);
}
