import * as v from 'valibot';
import type { LintedFile } from '../../lint/linter.ts';
import { flag, number, range, text } from '../../schema/fields.ts';

/** What is said of a file. */
export type Said = Pick<LintedFile, 'problems' | 'messages' | 'suppressedMessages'>;

export interface SavedFile {
  readonly path: string;
  /** All that was looked at for it, as stretches of the table of paths: where each begins, and how many it has. */
  readonly reads: readonly number[];
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

const span = { line: number, column: number, endLine: number, endColumn: number };

const edit = v.object({ range, text });

/** What somebody else may have written as a cache; undefined where it is none. Rules are written to terminals as they are, so only these have a name. */
export function readSavedLint(value: unknown, ruleIds: readonly string[]): SavedLint | undefined {
  // As it was written: reports show its messages with their fields in ESLint's order.
  return v.is(savedLint(ruleIds), value) && isSound(value) ? value : undefined;
}

function savedLint(ruleIds: readonly string[]): v.GenericSchema<SavedLint> {
  const rule = v.nullable(v.picklist(ruleIds));
  const problem = v.object({
    ...span,
    rule,
    severity: v.picklist(['error', 'warning']),
    message: text,
    steps: v.array(v.object({ ...span, message: text, file: v.exactOptional(text) })),
    fixes: v.array(v.object({ kind: v.exactOptional(text), title: text, range, text })),
  });
  const message = messageOf(rule);
  return v.object({
    key: text,
    paths: v.array(text),
    prints: v.array(text),
    files: v.array(
      v.object({
        path: text,
        reads: v.array(number),
        said: v.exactOptional(
          v.object({
            problems: v.array(problem),
            messages: v.array(message),
            suppressedMessages: v.array(message),
          }),
        ),
      }),
    ),
  }) as v.GenericSchema<SavedLint>;
}

/** As far as somebody reads it; a suppressed one says by whom. */
function messageOf(ruleId: v.GenericSchema<string | null>) {
  return v.object({
    ruleId,
    severity: v.picklist([1, 2]),
    message: text,
    line: v.exactOptional(number),
    column: v.exactOptional(number),
    endLine: v.exactOptional(number),
    endColumn: v.exactOptional(number),
    messageId: v.exactOptional(text),
    fatal: v.exactOptional(flag),
    fix: v.exactOptional(edit),
    suggestions: v.exactOptional(
      v.array(v.object({ desc: text, messageId: v.exactOptional(text), fix: edit })),
    ),
    suppressions: v.exactOptional(v.array(v.object({ kind: text, justification: text }))),
  });
}

/** Whether stretches stay in the table, and are not longer in sum than they can be: each path once. */
function isSound({ paths, prints, files }: SavedLint): boolean {
  return (
    paths.length === prints.length &&
    files.every(({ reads }) => {
      let end = 0;
      for (let index = 0; index < reads.length; index += 2) {
        const [start = -1, count = -1] = reads.slice(index, index + 2);
        if (!Number.isInteger(start) || !Number.isInteger(count) || start < end || count < 1)
          return false;
        end = start + count;
      }
      return end <= paths.length;
    })
  );
}

/** Ascending indices as stretches. */
export function stretchesOf(indices: readonly number[]): number[] {
  const stretches: number[] = [];
  for (const index of indices) {
    const [start = 0, count = 0] = stretches.slice(-2);
    if (stretches.length > 0 && start + count === index)
      stretches[stretches.length - 1] = count + 1;
    else stretches.push(index, 1);
  }
  return stretches;
}

/** Stretches as the indices that they stand for. */
export function indicesOf(stretches: readonly number[]): number[] {
  const indices: number[] = [];
  for (let each = 0; each < stretches.length; each += 2) {
    const [start = 0, count = 0] = stretches.slice(each, each + 2);
    for (let index = start; index < start + count; index++) indices.push(index);
  }
  return indices;
}
