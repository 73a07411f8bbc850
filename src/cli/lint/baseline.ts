import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { KnownRule } from '../../lint/known-rules.ts';
import type { LintedFile } from '../../lint/linter.ts';
import { CouldNotRun } from '../exit-code.ts';
import type { LintFlags } from './lint-flags.ts';
import { readRule } from './rule-entries.ts';
import {
  applySuppressions,
  pruneSuppressions,
  readSuppressions,
  suppressErrors,
  suppressionsName,
  writeSuppressions,
} from './suppressions.ts';

interface UnderBaseline {
  readonly files: readonly LintedFile[];
  /** Why the run fails although its errors are suppressed; null where it does not. */
  readonly complaint: string | null;
}

/**
 * Reads what is suppressed, before files are checked, and gives what writes it as the options say and takes it out of the files, in ESLint's order.
 * Throws `CouldNotRun` for what cannot be read.
 */
export function openBaseline(
  flags: LintFlags,
  known: readonly KnownRule[],
  cwd: string,
): (files: readonly LintedFile[]) => UnderBaseline {
  const { suppressAll, suppressionsLocation, pruneSuppressions: isPruning } = flags;
  const rules = flags.suppressRule?.map((id) => readRule(id, '--suppress-rule', known).id);
  const isSuppressing = suppressAll === true || rules !== undefined;
  const file = resolve(cwd, suppressionsLocation ?? suppressionsName);
  if (suppressionsLocation !== undefined && !isSuppressing && !existsSync(file))
    throw new CouldNotRun(
      `--suppressions-location: ${suppressionsLocation} does not exist. --suppress-all or --suppress-rule creates it.`,
    );
  const before = readSuppressions(file, cwd);
  const passes = flags.passOnUnprunedSuppressions === true;
  return (files) => {
    if (isSuppressing) {
      const all = suppressErrors(before, files, cwd, (rule) => rules?.includes(rule) ?? true);
      writeSuppressions(file, all);
      return under(applySuppressions(files, all, cwd), file, passes, cwd);
    }
    const applied = applySuppressions(files, before, cwd);
    if (isPruning !== true) return under(applied, file, passes, cwd);
    if (before.size > 0) writeSuppressions(file, pruneSuppressions(before, applied.unused, cwd));
    return { files: applied.files, complaint: null };
  };
}

function under(
  { files, unused }: ReturnType<typeof applySuppressions>,
  file: string,
  passes: boolean,
  cwd: string,
): UnderBaseline {
  return {
    files,
    complaint:
      unused.size === 0 || passes
        ? null
        : `${relative(cwd, file)} suppresses errors that no longer occur. Run again with --prune-suppressions to remove them, or with --pass-on-unpruned-suppressions to ignore them.`,
  };
}
