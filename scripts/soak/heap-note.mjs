// Loaded into a process that is watched, and with it into each of its threads: notes every few hundred milliseconds what the heap holds after a full
// collection, a file a thread. The folder and the pause come from the environment; without them nothing is done.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadId } from 'node:worker_threads';

const { POOLGUARD_SOAK_NOTES: folder, POOLGUARD_SOAK_PAUSE_MS: pauseMs } = process.env;

if (folder !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const file = join(folder, `${process.pid}-${threadId}`);
  const note = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    // Whoever reads meanwhile sees an empty file or a part, and waits for the next note.
    writeFileSync(file, `${heapUsed + external}\n`);
  };
  setInterval(note, Number(pauseMs)).unref();
  process.once('exit', () => rmSync(file, { force: true }));
}
