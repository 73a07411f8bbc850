import * as v from 'valibot';
import type { LintedFile } from '../../lint/linter.ts';
import { number, range, text } from '../../schema/fields.ts';

/** What is said of a file. */
export type Said = Pick<LintedFile, 'problems' | 'suppressed'>;

export interface SavedFile {
  readonly path: string;
  /** Another text for another configuration. */
  readonly by: string;
  /** All that was looked at for it, as `toStretches` writes it: read only where some path has changed. */
  readonly reads: string;
  /** Left out where nothing is said. */
  readonly said?: Said;
}

/** The content of a cache file. */
export interface SavedLint {
  /** Of all that decides what is said of any file: versions and settings. */
  readonly key: string;
  readonly paths: readonly string[];
  /** The fingerprint of each path. */
  readonly prints: readonly string[];
  readonly files: readonly SavedFile[];
}

const position = v.object({ line: number, column: number });
const place = v.object({ start: position, end: position });

/** What somebody else may have written as a cache; undefined where it is none. Rules are written to terminals as they are, so only these have a name. */
export function readSavedLint(value: unknown, ruleIds: readonly string[]): SavedLint | undefined {
  return v.is(savedLint(ruleIds), value) && value.paths.length === value.prints.length
    ? value
    : undefined;
}

function savedLint(ruleIds: readonly string[]): v.GenericSchema<SavedLint> {
  const rule = v.nullable(v.picklist(ruleIds));
  const problem = {
    place,
    rule,
    messageId: v.exactOptional(text),
    severity: v.picklist(['error', 'warning']),
    message: text,
    steps: v.array(v.object({ place, text, file: v.exactOptional(text) })),
    fixes: v.array(v.object({ kind: v.exactOptional(text), title: text, range, text })),
  };
  const suppression = v.object({ kind: v.picklist(['directive', 'file']), justification: text });
  return v.object({
    key: text,
    paths: v.array(text),
    prints: v.array(text),
    files: v.array(
      v.object({
        path: text,
        by: text,
        reads: text,
        said: v.exactOptional(
          v.object({
            problems: v.array(v.object(problem)),
            suppressed: v.array(v.object({ ...problem, suppressions: v.array(suppression) })),
          }),
        ),
      }),
    ),
  });
}

/** Ascending indices, each once, as stretches: how many are left out before each, and how many it has, as numbers of base 36. */
export function toStretches(indices: readonly number[]): string {
  const numbers: number[] = [];
  let end = 0;
  for (const index of indices) {
    if (index === end && numbers.length > 0) numbers.push((numbers.pop() ?? 0) + 1);
    else numbers.push(index - end, 1);
    end = index + 1;
  }
  return numbers.map((each) => each.toString(36)).join(' ');
}

/** The indices that stretches of a table stand for; undefined where they are none, or leave it. */
export function indicesIn(stretches: string, size: number): number[] | undefined {
  if (!/^(?:[\da-z]{1,6} [\da-z]{1,6}(?: |$))+(?<! )$/u.test(stretches)) return undefined;
  const numbers = stretches.split(' ').map((each) => Number.parseInt(each, 36));
  const indices: number[] = [];
  let end = 0;
  for (let each = 0; each < numbers.length; each += 2) {
    const [gap = 0, count = 0] = numbers.slice(each, each + 2);
    if (end + gap + count > size) return undefined;
    for (let index = end + gap; index < end + gap + count; index++) indices.push(index);
    end += gap + count;
  }
  return indices;
}
