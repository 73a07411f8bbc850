import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { LintedFile } from '../lint/linter.ts';
import { CouldNotRun } from './exit-code.ts';

/** Where `eslint --suppress-all` writes, in the working folder. */
export const suppressionsName = 'eslint-suppressions.json';

/** How many errors of a rule a file may have, by its path from the working folder, with slashes, and the rule. */
type Suppressions = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What ESLint has written down in `location`, or in its own file where nobody names one. Throws `CouldNotRun` for a file that is named and missing, and for one that ESLint cannot have written. */
export function readSuppressions(location: string | undefined, cwd: string): Suppressions {
  const file = resolve(cwd, location ?? suppressionsName);
  if (!existsSync(file)) {
    if (location === undefined) return new Map();
    throw new CouldNotRun(`--suppressions-location: ${location} does not exist.`);
  }
  try {
    const files = JSON.parse(readFileSync(file, 'utf8')) as Record<
      string,
      Record<string, { readonly count: number }>
    >;
    return new Map(
      Object.entries(files).map(([path, rules]) => [
        path,
        new Map(Object.entries(rules).map(([rule, { count }]) => [rule, count])),
      ]),
    );
  } catch {
    throw new CouldNotRun(
      `${relative(cwd, file)} is not what eslint --suppress-all writes. Write it again, or take it away.`,
    );
  }
}

/** Takes away the errors of a rule in a file where they are no more than were written down, as ESLint does; else all of them stay. */
export function withoutSuppressed(
  files: readonly LintedFile[],
  suppressions: Suppressions,
  cwd: string,
): readonly LintedFile[] {
  return suppressions.size === 0
    ? files
    : files.map((file) => {
        const allowed = suppressions.get(relative(cwd, file.path).replaceAll('\\', '/'));
        return allowed === undefined ? file : withoutAllowed(file, allowed);
      });
}

function withoutAllowed(file: LintedFile, allowed: ReadonlyMap<string, number>): LintedFile {
  const errors = file.messages.filter(({ severity }) => severity === 2);
  const isSuppressed = (rule: string | null): boolean =>
    rule !== null &&
    errors.filter(({ ruleId }) => ruleId === rule).length <= (allowed.get(rule) ?? 0);
  const suppressed = errors.filter(({ ruleId }) => isSuppressed(ruleId));
  return {
    ...file,
    problems: file.problems.filter(
      ({ severity, rule }) => severity !== 'error' || !isSuppressed(rule),
    ),
    messages: file.messages.filter((message) => !suppressed.includes(message)),
    suppressedMessages: [
      ...file.suppressedMessages,
      ...suppressed.map((message) => ({
        ...message,
        suppressions: [{ kind: 'file', justification: '' }],
      })),
    ],
  };
}
