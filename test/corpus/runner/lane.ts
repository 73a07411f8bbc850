import { fork, type ChildProcess } from 'node:child_process';
import type { LintedSource, LintJob } from './linted-source.ts';
import type { WorkerAnswer } from './worker.ts';

/** A worker process for one job after the other; another one takes over where it dies. */
export interface Lane extends AsyncDisposable {
  lint(job: LintJob): Promise<readonly LintedSource[]>;
}

/** How a worker is started: a program of ours that serves its parent. */
export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** No file takes so long; a worker that says nothing for this time is lost in a loop. */
const longestSilenceMs = 120_000;

export function createLane({ file, args }: WorkerProgram, signal: AbortSignal): Lane {
  let worker: ChildProcess | null = null;
  const start = (): ChildProcess =>
    (worker = fork(file, [...args], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }));
  return {
    async lint(job) {
      const linted: LintedSource[] = [];
      while (linted.length < job.files.length) {
        signal.throwIfAborted();
        const current = worker?.connected === true ? worker : start();
        const ending = await converse(
          current,
          { ...job, files: job.files.slice(linted.length) },
          (source) => linted.push(source),
          signal,
        );
        const path = job.files[linted.length];
        if (ending !== null && path !== undefined && !signal.aborted)
          linted.push({
            path,
            reports: [],
            functions: null,
            trouble: { kind: 'crash', text: ending },
            milliseconds: 0,
          });
      }
      signal.throwIfAborted();
      return linted;
    },
    [Symbol.asyncDispose]: () => end(worker),
  };
}

/** Null when the job is finished, else what became of the worker. */
function converse(
  worker: ChildProcess,
  job: LintJob,
  onSource: (source: LintedSource) => void,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    let timer = setTimeout(giveUp, longestSilenceMs);
    const settle = (ending: string | null) => {
      clearTimeout(timer);
      worker.off('message', hear).off('exit', mourn);
      signal.removeEventListener('abort', abort);
      resolve(ending);
    };
    const hear = (answer: WorkerAnswer) => {
      if (answer.kind === 'finished') return settle(null);
      clearTimeout(timer);
      timer = setTimeout(giveUp, longestSilenceMs);
      onSource(answer.source);
    };
    const mourn = (code: number | null, killer: string | null) =>
      settle(`the worker ended with ${killer ?? code}`);
    const abort = () => settle('the run was stopped');
    function giveUp(): void {
      worker.kill('SIGKILL');
      settle(`the worker said nothing for ${longestSilenceMs / 1_000} s`);
    }
    worker.on('message', hear).on('exit', mourn);
    signal.addEventListener('abort', abort, { once: true });
    worker.send(job);
  });
}

/** A worker holds nothing that it would have to give back. */
async function end(worker: ChildProcess | null): Promise<void> {
  if (worker === null || worker.exitCode !== null || worker.signalCode !== null) return;
  const gone = new Promise((resolve) => worker.once('exit', resolve));
  worker.kill('SIGKILL');
  await gone;
}
