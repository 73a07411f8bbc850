import type { LintJob, LintedSource } from './linted-source.ts';
import { createFolderLinter } from './lint-files.ts';

export type WorkerAnswer =
  { readonly kind: 'linted'; readonly source: LintedSource } | { readonly kind: 'finished' };

/** Lints what the parent process asks for, a file an answer, and ends when the parent does. */
export function serveParent(): void {
  // Ctrl-C in a terminal reaches every process of the group; the parent decides.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(0));
  const lint = createFolderLinter();
  process.on('message', (job: LintJob) => void answer(job));

  async function answer(job: LintJob): Promise<void> {
    for (const file of job.files) send({ kind: 'linted', source: await lint(job, file) });
    send({ kind: 'finished' });
  }
}

function send(message: WorkerAnswer): void {
  process.send?.(message);
}
