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
  /** Why the run fails although its errors are suppressed. */
  readonly complaints: readonly string[];
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
      const why = writeSuppressions(file, all, cwd);
      // What was not written does not count the next time, and so not this time either.
      return why === null
        ? under(applySuppressions(files, all, cwd), file, passes, cwd)
        : { files: applySuppressions(files, before, cwd).files, complaints: [why] };
    }
    const applied = applySuppressions(files, before, cwd);
    if (isPruning !== true) return under(applied, file, passes, cwd);
    const left = pruneSuppressions(before, applied.unused, cwd);
    const why = before.size > 0 ? writeSuppressions(file, left, cwd) : null;
    return { files: applied.files, complaints: why === null ? [] : [why] };
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
    complaints:
      unused.size === 0 || passes
        ? []
        : [
            `${relative(cwd, file)} suppresses errors that no longer occur. Run again with --prune-suppressions to remove them, or with --pass-on-unpruned-suppressions to ignore them.`,
          ],
  };
}
