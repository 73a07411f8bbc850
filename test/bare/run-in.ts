import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Clone } from './clone.ts';
import type { Surroundings } from './surroundings.ts';

export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

/** Runs a command in a clone, or in a folder beside it, with nothing but the environment of its surroundings. */
export function runIn(
  clone: Clone,
  { umask, user }: Surroundings,
  command: readonly string[],
  folder = clone.path,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const as = user && { uid: user.uid, gid: user.gid };
    const child = spawn('/bin/sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...command], {
      cwd: folder,
      env: clone.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...as,
    });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => said.push(bytes.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said: stripVTControlCharacters(said.join('')) }));
  });
}
