import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import type { HeapNotes } from './heap-notes.ts';

const program = fileURLToPath(new URL('cli.js', import.meta.url));

export interface ProbeLoop extends AsyncDisposable {
  readonly count: () => number;
}

export interface ProbeLoopOptions {
  readonly url: string;
  readonly notes: HeapNotes;
  /** Called after each probe, before the next one begins. */
  readonly onProbed: () => Promise<void>;
  readonly onFailure: (sentence: string) => void;
}

/** Found, or too noisy for a number: on a machine that does all this at once, both are answers. */
const answers: ReadonlySet<number | null> = new Set([0, 1]);
const args = [
  'probe',
  '--yes',
  '--seconds',
  '5',
  '--max',
  '3',
  '--no-validate',
  '--json',
  '--sql',
  'SELECT pg_sleep(0.002)',
];
const restMs = 1_000;

/** Real probes with a small budget, one after the other. */
export function startProbeLoop({ url, notes, onProbed, onFailure }: ProbeLoopOptions): ProbeLoop {
  const stop = new AbortController();
  let count = 0;
  const working = (async () => {
    while (!stop.signal.aborted) {
      const { code, said } = await probeOnce(url, notes, stop.signal);
      if (stop.signal.aborted) return;
      if (!answers.has(code))
        throw new Error(
          `A probe ended with exit code ${code ?? 'none'}: ${said.trim().slice(-500)}`,
        );
      await onProbed();
      count += 1;
      await pause(restMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  working.catch((problem: unknown) =>
    onFailure(problem instanceof Error ? problem.message : String(problem)),
  );
  return {
    count: () => count,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await working.catch(() => undefined);
    },
  };
}

async function probeOnce(
  url: string,
  notes: HeapNotes,
  signal: AbortSignal,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    detached: true,
    env: { ...process.env, ...notes.variables, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000);
  });
  const interrupt = () => child.kill('SIGINT');
  signal.addEventListener('abort', interrupt, { once: true });
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', interrupt);
  return { code, said };
}
