import { Worker } from 'node:worker_threads';

export interface HangWatch extends Disposable {
  /** Another case begins. */
  tick(): void;
}

/** No case may take longer: a regular expression or a loop that never ends stops its own thread, so that nothing in that thread can tell. */
const longestMs = 60_000;

const watcher = `
  const { workerData: { beats, target, seed, longestMs } } = require('node:worker_threads');
  const counter = new Int32Array(beats);
  for (let seen = -1; ; seen = Atomics.load(counter, 0)) {
    const before = Atomics.load(counter, 0);
    if (Atomics.wait(counter, 0, before, longestMs) !== 'timed-out') continue;
    require('node:fs').writeSync(2, target + ': case ' + before + ' of seed ' + seed + ' has not ended in ' + longestMs / 1000 + ' s. The process is ended.\\n');
    process.kill(process.pid, 'SIGKILL');
  }
`;

/** Ends the whole process with a sentence when a case does not end; dispose when the target is done. */
export function watchForHang(target: string, seed: number): HangWatch {
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  const thread = new Worker(watcher, {
    eval: true,
    workerData: { beats, target, seed, longestMs },
  });
  thread.unref();
  return {
    tick: () => {
      Atomics.add(counter, 0, 1);
      Atomics.notify(counter, 0);
    },
    [Symbol.dispose]: () => void thread.terminate(),
  };
}
