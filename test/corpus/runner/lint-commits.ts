import { layOut } from './checkout.ts';
import type { Origins } from './git-directory.ts';
import { sourceFilesIn } from './all-files.ts';
import type { LintedSource, LintJob } from './linted-source.ts';
import { createLane, type Lane, type WorkerProgram } from './lane.ts';

/** One commit of a repository and the files that somebody wants linted. */
export interface CommitTask {
  readonly repo: string;
  readonly commit: string;
  readonly files: ReadonlySet<string>;
  /** Lint every source file, the named ones included. */
  readonly wantsAll: boolean;
}

export interface LintedCommit {
  readonly repo: string;
  readonly commit: string;
  /** Where the sources lie; null when they could not be had. */
  readonly folder: string | null;
  /** Why they could not be had. */
  readonly because: string;
  readonly sources: readonly LintedSource[];
}

export interface Workshop {
  readonly origins: Origins;
  readonly worker: WorkerProgram;
  readonly job: Pick<LintJob, 'rules' | 'settings' | 'plugin'>;
  readonly signal: AbortSignal;
  readonly onDone: (linted: LintedCommit, done: number) => void;
}

const laneCount = 2;

/** Lints commits, two at a time; the answers come in the order of the tasks. */
export async function lintCommits(
  tasks: readonly CommitTask[],
  workshop: Workshop,
): Promise<readonly LintedCommit[]> {
  const linted: LintedCommit[] = [];
  const queue = tasks.entries();
  let done = 0;
  const work = async (): Promise<void> => {
    await using lane = createLane(workshop.worker, workshop.signal);
    for (const [index, task] of queue) {
      const answer = await lintCommit(task, lane, workshop);
      linted[index] = answer;
      workshop.onDone(answer, ++done);
    }
  };
  const endings = await Promise.allSettled(Array.from({ length: laneCount }, work));
  const failed = endings.find((ending) => ending.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return linted;
}

async function lintCommit(
  { repo, commit, files, wantsAll }: CommitTask,
  lane: Lane,
  { origins, job, signal }: Workshop,
): Promise<LintedCommit> {
  signal.throwIfAborted();
  const checkout = await layOut(repo, commit, origins, signal);
  if (checkout.kind === 'missing')
    return { repo, commit, folder: null, because: checkout.because, sources: [] };
  const all = wantsAll
    ? [...new Set([...files, ...(await sourceFilesIn(checkout.folder))])]
    : [...files];
  const sources = await lane.lint({ ...job, folder: checkout.folder, files: all });
  return { repo, commit, folder: checkout.folder, because: '', sources };
}
