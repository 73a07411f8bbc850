import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import * as v from 'valibot';
import type { LintedFile } from '../../lint/linter.ts';
import { number } from '../../schema/fields.ts';
import { whatIsWrong } from '../../schema/what-is-wrong.ts';
import { CouldNotRun } from '../exit-code.ts';

/** Where `eslint --suppress-all` writes, in the working folder. */
export const suppressionsName = 'eslint-suppressions.json';

const Written = v.record(v.string(), v.record(v.string(), v.object({ count: number })));

/** How many errors of a rule a file may have, by its path from the working folder, with slashes, and the rule. */
type Suppressions = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Reads `location`, or ESLint's default file if it exists. Throws `CouldNotRun` if a named file is missing, or if the content is not ESLint's. */
export function readSuppressions(location: string | undefined, cwd: string): Suppressions {
  const file = resolve(cwd, location ?? suppressionsName);
  if (!existsSync(file)) {
    if (location === undefined) return new Map();
    throw new CouldNotRun(`--suppressions-location: ${location} does not exist.`);
  }
  const value = parsed(readFileSync(file, 'utf8'));
  const read = v.safeParse(Written, value);
  if (!read.success)
    throw new CouldNotRun(
      `${relative(cwd, file)} is not a suppressions file of ESLint: ${value === undefined ? 'it is not JSON' : whatIsWrong(read.issues)}. Run eslint --suppress-all again, or delete the file.`,
    );
  return new Map(
    Object.entries(read.output).map(([path, rules]) => [
      path,
      new Map(Object.entries(rules).map(([rule, { count }]) => [rule, count])),
    ]),
  );
}

/** Undefined for what is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Suppresses the errors of a rule in a file if there are no more of them than the file allows, as ESLint does; otherwise reports them all. */
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
