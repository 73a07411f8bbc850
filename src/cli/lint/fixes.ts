import { readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import type { Fixing } from '../../lint/fix-file.ts';
import type { KnownRule } from '../../lint/known-rules.ts';
import type { LintedFile } from '../../lint/linter.ts';
import { CouldNotRun } from '../exit-code.ts';
import { writeWhole } from '../write-whole.ts';
import type { LintFlags } from './lint-flags.ts';

/** What --fix and --fix-dry-run apply; with --quiet ESLint leaves warnings as they are, too. */
export function fixingOf(
  { fix, fixDryRun, quiet }: LintFlags,
  rules: readonly KnownRule[],
): { readonly fixing?: Fixing } {
  if (fix !== true && fixDryRun !== true) return {};
  const safe = rules.map(({ id, safeSuggestions = [] }) => [id, safeSuggestions] as const);
  return { fixing: { safe: new Map(safe), onlyErrors: quiet === true } };
}

/** Writes the files that were fixed. Throws `CouldNotRun` where one of them cannot be written, or is another one by now; the others are written all the same. */
export function writeFixes(files: readonly LintedFile[], cwd: string): void {
  const complaints = files.flatMap(({ path, text, fixed }) => {
    if (fixed === undefined) return [];
    if (!isUnchanged(path, fixed.from))
      return [`${relative(cwd, path)} was not fixed, because it changed in the meantime.`];
    return writeWhole(path, text) ?? [];
  });
  if (complaints.length > 0) throw new CouldNotRun(complaints.join(' '));
}

function isUnchanged(path: string, text: string): boolean {
  try {
    return statSync(path).isFile() && readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

/** "Fixed 3 problems in 2 files."; null where nothing was fixed. */
export function describeFixes(files: readonly LintedFile[], isWritten: boolean): string | null {
  const counts = files.flatMap(({ fixed }) => fixed?.applied.length ?? []);
  const total = counts.reduce((sum, each) => sum + each, 0);
  if (total === 0) return null;
  return `${isWritten ? 'Fixed' : 'Would fix'} ${total} problem${total === 1 ? '' : 's'} in ${counts.length} file${counts.length === 1 ? '' : 's'}.`;
}
