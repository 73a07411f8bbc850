import { relative } from 'node:path';
import { readOrdinary } from '../../../rules/project/ordinary-file.ts';
import { isInside, ledAway, wayTo, workspaceOf } from '../../files/inside.ts';
import type { Fixing } from '../../lint/fix-file.ts';
import type { KnownRule } from '../../lint/known-rules.ts';
import type { LintedFile } from '../../lint/linter.ts';
import { longestSource } from '../../lint/read-source.ts';
import { uncheckedFile } from '../../lint/unchecked-file.ts';
import { writeWhole } from '../../files/write-whole.ts';
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

interface Written {
  /** All files; where a fix could not be written, that is what is said of the file. */
  readonly files: readonly LintedFile[];
  readonly complaints: readonly string[];
}

/** Writes the files that were fixed. One that changed in the meantime, or that a link leads out of the workspace, stays as it is. */
export function writeFixes(files: readonly LintedFile[], cwd: string): Written {
  const tried = files.map((file) => ({
    file,
    why: file.fixed === undefined ? null : writeFix(file, cwd),
  }));
  return {
    files: tried.map(({ file, why }) => (why === null ? file : uncheckedFile(file.path, why))),
    complaints: tried.flatMap(({ why }) => why ?? []),
  };
}

function writeFix({ path, text, fixed }: LintedFile, cwd: string): string | null {
  const { ledTo = path } = wayTo(path, cwd);
  if (ledTo !== path && !isInside(ledTo, workspaceOf(cwd))) return ledAway(path, ledTo);
  return readText(ledTo) === fixed?.from
    ? writeWhole(ledTo, text, { cwd })
    : `${relative(cwd, path)} was not fixed, because it changed in the meantime.`;
}

function readText(path: string): string | undefined {
  const read = readOrdinary(path, { longest: longestSource });
  return read.kind === 'read' ? read.bytes.toString('utf8') : undefined;
}

/** "Fixed 3 problems in 2 files."; null where nothing was fixed. */
export function describeFixes(files: readonly LintedFile[], isWritten: boolean): string | null {
  const counts = files.flatMap(({ fixed }) => fixed?.applied.length ?? []);
  const total = counts.reduce((sum, each) => sum + each, 0);
  if (total === 0) return null;
  return `${isWritten ? 'Fixed' : 'Would fix'} ${total} problem${total === 1 ? '' : 's'} in ${counts.length} file${counts.length === 1 ? '' : 's'}.`;
}
