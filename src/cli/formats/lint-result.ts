import type { LintedFile } from '../../lint/linter.ts';
import type { Mistake } from '../../lint/mistake.ts';
import type { KnownRule } from '../../lint/known-rules.ts';

/** A finished lint, as every format gets it. */
export interface LintResult {
  /** Absolute; reported paths are relative to it. */
  readonly cwd: string;
  readonly files: readonly LintedFile[];
  readonly rules: readonly KnownRule[];
  /** Whether files that were fixed are only shown. */
  readonly isDryRun?: boolean;
}

export interface Counts {
  readonly errors: number;
  readonly warnings: number;
}

export function countProblems(files: readonly LintedFile[]): Counts {
  const problems = files.flatMap((file) => file.problems);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: problems.length - errors };
}

/** A file of which nothing is known, because Poolguard itself failed at it. */
export interface FailedFile {
  readonly path: string;
  readonly mistake: Mistake;
}

/** Those of which no problem tells so. */
export function failedFiles(files: readonly LintedFile[]): readonly FailedFile[] {
  return files.flatMap(({ path, mistake, problems }) =>
    mistake === undefined || problems.some(({ rule }) => rule === null) ? [] : [{ path, mistake }],
  );
}

/** The same files as if warnings did not exist. */
export function withoutWarnings(files: readonly LintedFile[]): LintedFile[] {
  return files.map((file) => ({
    ...file,
    problems: file.problems.filter(({ severity }) => severity === 'error'),
  }));
}
