import type { LintedFile } from '../../lint/linter.ts';
import type { Fix, Problem, Span, Step } from '../../lint/problem.ts';
import {
  flag,
  list,
  literal,
  nullable,
  number,
  object,
  optional,
  pair,
  text,
  type Fields,
  type Shape,
} from '../../probe/saved/shape.ts';

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

const span: Fields<Span> = { line: number, column: number, endLine: number, endColumn: number };

const edit = object({ range: pair(number), text });

/** What somebody else may have written as a cache; undefined where it is none. Rules are written to terminals as they are, so only these have a name. */
export function readSavedLint(value: unknown, ruleIds: readonly string[]): SavedLint | undefined {
  return savedLint(ruleIds).check(value, '') === null && isSound(value as SavedLint)
    ? (value as SavedLint)
    : undefined;
}

function savedLint(ruleIds: readonly string[]): Shape<SavedLint> {
  const said = object<Said>({
    problems: list(problemOf(nullable(literal(...ruleIds)))),
    messages: list(messageOf<Said['messages'][number]>(ruleIds)),
    suppressedMessages: list(messageOf<Said['suppressedMessages'][number]>(ruleIds)),
  });
  return object<SavedLint>({
    key: text,
    paths: list(text),
    prints: list(text),
    files: list(object<SavedFile>({ path: text, reads: list(number), said: optional(said) })),
  });
}

function problemOf(rule: Shape<string | null>): Shape<Problem> {
  return object<Problem>({
    ...span,
    rule,
    severity: literal('error', 'warning'),
    message: text,
    steps: list(object<Step>({ ...span, message: text, file: optional(text) })),
    fixes: list(object<Fix>({ kind: optional(text), title: text, range: pair(number), text })),
  });
}

/** As far as somebody reads it; a suppressed one says by whom. */
function messageOf<Message>(ruleIds: readonly string[]): Shape<Message> {
  return object({
    ruleId: nullable(literal(...ruleIds)),
    severity: literal(1, 2),
    message: text,
    line: optional(number),
    column: optional(number),
    endLine: optional(number),
    endColumn: optional(number),
    messageId: optional(text),
    fatal: optional(flag),
    fix: optional(edit),
    suggestions: optional(list(object({ desc: text, messageId: optional(text), fix: edit }))),
    suppressions: optional(list(object({ kind: text, justification: text }))),
  }) as Shape<unknown> as Shape<Message>;
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
