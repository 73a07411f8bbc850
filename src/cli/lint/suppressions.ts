import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import * as v from 'valibot';
import { readOrdinary } from '../../../rules/project/ordinary-file.ts';
import type { LintedFile } from '../../lint/linter.ts';
import { prefix } from '../../lint/analyser.ts';
import { number } from '../../schema/fields.ts';
import { whatIsWrong } from '../../schema/what-is-wrong.ts';
import { toJson } from '../../text/to-json.ts';
import { CouldNotRun } from '../exit-code.ts';
import { slashed } from '../../files/slashed.ts';
import { whyUnread } from '../../files/why-unread.ts';
import { writeWhole } from '../../files/write-whole.ts';

/** The file of `eslint --suppress-all`, in the working folder. */
export const suppressionsName = 'eslint-suppressions.json';

/** In bytes, a line for each of a hundred thousand errors. */
const longestFile = 16_000_000;

const Written = v.record(v.string(), v.record(v.string(), v.object({ count: number })));

/** How many errors of each rule a file may have. */
type Counts = ReadonlyMap<string, number>;

/** By the path of a file from the working folder, with slashes. */
export type Suppressions = ReadonlyMap<string, Counts>;

/** What became of files under suppressions. */
interface Suppressed {
  readonly files: readonly LintedFile[];
  /** Suppressed errors of our rules that do not occur. */
  readonly unused: Suppressions;
}

/** Reads ESLint's file; nothing is suppressed where there is none. Throws `CouldNotRun` if the content is not ESLint's. */
export function readSuppressions(file: string, cwd: string): Suppressions {
  const there = readOrdinary(file, { longest: longestFile });
  const name = relative(cwd, file) || '.';
  if (there.kind === 'unread' && there.code === 'ENOENT') return new Map();
  if (there.kind === 'unread') throw new CouldNotRun(whyUnread(name, there, longestFile));
  const value = parsed(there.bytes.toString('utf8'));
  const read = v.safeParse(Written, value);
  if (!read.success)
    throw new CouldNotRun(
      `${name} is not a suppressions file of ESLint: ${value === undefined ? 'it is not JSON' : whatIsWrong(read.issues)}. Delete it and run again with --suppress-all.`,
    );
  return new Map(
    Object.entries(read.output).map(([path, rules]) => [
      path,
      new Map(Object.entries(rules).map(([rule, { count }]) => [rule, count])),
    ]),
  );
}

/** Writes the file as ESLint does, with sorted keys. Gives the sentence that says why not, or null. */
export function writeSuppressions(
  file: string,
  suppressions: Suppressions,
  cwd: string,
): string | null {
  const written = sortedObject(suppressions, (counts) =>
    sortedObject(counts, (count) => ({ count })),
  );
  return writeWhole(file, toJson(written, 2), { cwd });
}

function sortedObject<Value>(map: ReadonlyMap<string, Value>, written: (value: Value) => unknown) {
  const keys = [...map.keys()].sort();
  return Object.fromEntries(keys.map((key) => [key, written(map.get(key) as Value)]));
}

/** Undefined for what is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Suppresses the errors that files have, of some rules or of all. */
export function suppressErrors(
  suppressions: Suppressions,
  files: readonly LintedFile[],
  cwd: string,
  isMeant: (rule: string) => boolean,
): Suppressions {
  const all = new Map(suppressions);
  for (const file of files) {
    const meant = [...countErrors(file)].filter(([rule]) => isMeant(rule));
    const path = keyOf(file, cwd);
    if (meant.length > 0) all.set(path, new Map([...(all.get(path) ?? []), ...meant]));
  }
  return all;
}

/** Without the errors that do not occur, and without our rules in files that there are no more. Other rules belong to ESLint. */
export function pruneSuppressions(
  suppressions: Suppressions,
  unused: Suppressions,
  cwd: string,
): Suppressions {
  const left = [...suppressions].map(([path, counts]) => {
    const isGone = !existsSync(resolve(cwd, path));
    const kept = [...counts].flatMap(([rule, count]) => {
      const rest = isGone && isOurs(rule) ? 0 : count - (unused.get(path)?.get(rule) ?? 0);
      return rest > 0 ? [[rule, rest] as const] : [];
    });
    return [path, new Map(kept)] as const;
  });
  return new Map(left.filter(([, counts]) => counts.size > 0));
}

/** Suppresses the errors of a rule in a file if there are no more of them than the file allows, as ESLint does; otherwise reports them all. */
export function applySuppressions(
  files: readonly LintedFile[],
  suppressions: Suppressions,
  cwd: string,
): Suppressed {
  const unused = new Map<string, Counts>();
  const left = files.map((file) => {
    const allowed = suppressions.get(keyOf(file, cwd));
    if (allowed === undefined) return file;
    const found = countErrors(file);
    const tooMany = [...allowed].flatMap(([rule, count]) => {
      const surplus = count - (found.get(rule) ?? 0);
      return isOurs(rule) && surplus > 0 ? [[rule, surplus] as const] : [];
    });
    if (tooMany.length > 0 && isKnown(file)) unused.set(keyOf(file, cwd), new Map(tooMany));
    return withoutErrors(
      file,
      (rule) => found.has(rule) && (found.get(rule) ?? 0) <= (allowed.get(rule) ?? 0),
    );
  });
  return { files: left, unused };
}

/** Of a file that could not be analysed nobody knows which errors it has. */
function isKnown({ mistake, problems }: LintedFile): boolean {
  return mistake === undefined && problems.every(({ rule }) => rule !== null);
}

function isOurs(rule: string): boolean {
  return rule.startsWith(prefix);
}

function keyOf({ path }: LintedFile, cwd: string): string {
  return slashed(relative(cwd, path));
}

function countErrors({ problems }: LintedFile): Counts {
  const counts = new Map<string, number>();
  for (const { severity, rule } of problems)
    if (severity === 'error' && rule !== null) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}

function withoutErrors(file: LintedFile, isAllowed: (rule: string) => boolean): LintedFile {
  const suppressed = file.problems.filter(
    ({ severity, rule }) => severity === 'error' && rule !== null && isAllowed(rule),
  );
  return {
    ...file,
    problems: file.problems.filter((problem) => !suppressed.includes(problem)),
    suppressed: [
      ...file.suppressed,
      ...suppressed.map((problem) => ({
        ...problem,
        suppressions: [{ kind: 'file' as const, justification: '' }],
      })),
    ],
  };
}
