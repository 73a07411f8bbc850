// Makes a folder of the cache as a whole, or not at all.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cache, ownPath } from './find.mjs';

/**
 * Lets `fill` write into a new folder, which becomes the tool's when the tool answers from there.
 * @param {import('./find.mjs').Tool} tool
 * @param {(folder: string) => Promise<string> | string} fill answers the lines of the script that starts it, in which `$here` is the folder, wherever that lies
 */
export async function unpack(tool, fill) {
  console.log(`It goes into ${join('.cache', 'test-tools')}, once:`);
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, `${tool}-`));
  try {
    const script = join(unfinished, `run-${tool}`);
    writeFileSync(
      script,
      `#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\n${await fill(unfinished)}\n`,
    );
    for (const path of [script, unfinished]) chmodSync(path, 0o755);
    execFileSync(script, ['--version'], { stdio: ['ignore', 'ignore', 'pipe'] });
    // Somebody else may have been faster.
    if (!existsSync(ownPath(tool))) renameSync(unfinished, join(cache, tool));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
