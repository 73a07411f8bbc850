import { relative } from 'node:path';
import pc from 'picocolors';
import { findFiles } from '../../src/lint/find-files.ts';
import { formatStylish } from '../../src/cli/formats/stylish.ts';
import { createFileCheck } from '../../src/lint/check-file.ts';
import { lintFiles } from '../../src/cli/lint/lint-files.ts';
import { poolguard } from '../../src/lint/analyser.ts';
import type { ReportedFile } from '../../src/report/report-input.ts';

export interface LintedExample {
  readonly files: readonly ReportedFile[];
  /** The findings as `poolguard lint` prints them. */
  readonly printed: string;
}

/** Lints one folder; `doing` hears how many files are done. */
export async function lintExample(
  folder: string,
  root: string,
  doing: (text: string) => void,
  signal: AbortSignal,
): Promise<LintedExample> {
  const { files: paths } = await findFiles([folder], root);
  let done = 0;
  const files = await lintFiles(
    paths,
    {
      loadCheck: (settings) => Promise.resolve(createFileCheck(poolguard, settings)),
      settings: { cwd: root, isNoting: false },
      concurrency: 'off',
      bundle: undefined,
      signal,
    },
    () => doing(`${++done} of ${paths.length} files`),
  );
  return {
    files: files.map(({ path, text, problems }) => ({
      path: relative(root, path),
      text,
      problems,
    })),
    printed: formatStylish(
      { cwd: root, files, rules: [] },
      { colors: pc, columns: process.stdout.columns ?? null },
    ),
  };
}
