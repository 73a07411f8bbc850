import { readFile } from 'node:fs/promises';
import type { Lint, LintedFile } from '../lint/linter.ts';
import { isTooLargeToRead } from '../lint/read-source.ts';
import { codeOf } from '../lint/find-files.ts';

/** Lints files one after the other until `signal` aborts; `onDone` is called after each. A file that cannot be read becomes a problem of its own. */
export async function lintFiles(
  paths: readonly string[],
  lint: Lint,
  onDone: () => void,
  signal: AbortSignal,
): Promise<LintedFile[]> {
  const linted: LintedFile[] = [];
  for (const path of paths) {
    if (signal.aborted) break;
    linted.push(await lintFile(path, lint));
    onDone();
  }
  return linted;
}

async function lintFile(path: string, lint: Lint): Promise<LintedFile> {
  try {
    if (await isTooLargeToRead(path))
      return unreadable(
        path,
        'The file is larger than 16 MB, so it was not checked. Exclude what is generated.',
      );
    return lint({ path, text: await readFile(path, 'utf8') });
  } catch (failure) {
    return unreadable(path, `The file cannot be read: ${codeOf(failure)}.`);
  }
}

function unreadable(path: string, message: string): LintedFile {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    path,
    text: '',
    problems: [{ ...place, rule: null, severity: 'error', message, steps: [], fixes: [] }],
    messages: [{ ...place, ruleId: null, severity: 2, fatal: true, message }],
    suppressedMessages: [],
  };
}
