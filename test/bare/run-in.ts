import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import type { Clone } from './clone.ts';
import type { Surroundings } from './surroundings.ts';

export interface Ran {
  readonly code: number | null;
  readonly said: string;
}

/** Runs npm in a clone, with nothing but the environment of its surroundings. */
export function runNpmIn(
  clone: Clone,
  { umask, user }: Surroundings,
  args: readonly string[],
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const as = user && { uid: user.uid, gid: user.gid };
    const child = spawn('/bin/sh', ['-c', `umask ${umask}; exec npm "$@"`, 'sh', ...args], {
      cwd: clone.path,
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
