import { once } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { readSample } from './read-sample.ts';
import type { Sample } from './sample.ts';
import type { SampleReader } from './write-ledger.ts';

/** A thread that runs this program's bundle. */
export function startReader(bundle: URL, checkouts: string): SampleReader {
  // A mistake of the analysis is to be seen, not to be taken for an unknown file.
  const env = { ...process.env, POOLGUARD_DEBUG: '1' };
  const worker = new Worker(bundle, { workerData: checkouts, env });
  return {
    async read(sample) {
      const ended = new AbortController();
      worker.postMessage(sample);
      try {
        const [answer] = (await Promise.race([
          once(worker, 'message', ended),
          once(worker, 'exit', ended).then(() => [[]]),
        ])) as [readonly string[]];
        return answer;
      } finally {
        ended.abort();
      }
    },
    end: async () => void (await worker.terminate()),
  };
}

/** What such a thread does. */
export function serveReader(): void {
  parentPort?.on('message', (sample: Sample) =>
    parentPort?.postMessage(readSample(sample, String(workerData))),
  );
}
