import type { CheckSettings } from './check-file.ts';
import type { FileCode } from './file-code.ts';
import type { LintSettings } from './linter.ts';
import type { Mistake } from './mistake.ts';
import type { Problem } from './problem.ts';

/** What a thread that lints is started with. */
export interface ThreadStart {
  /** Texts that stand in front of the disk, by absolute path. */
  readonly open: ReadonlyMap<string, string>;
  /** How files are checked that are asked for as a whole. */
  readonly checks?: CheckSettings;
}

/** One at a time; the answer comes before the next question. */
export interface ThreadQuestion {
  readonly path: string;
  readonly settings: LintSettings;
}

export interface ThreadAnswer {
  readonly problems: readonly Problem[];
  /** The text that they are of, and those of other files that their paths lead to. */
  readonly text: string;
  readonly beside: ReadonlyMap<string, string>;
  readonly mistake?: Mistake | undefined;
}

export const nothingFound: ThreadAnswer = { problems: [], text: '', beside: new Map() };

/** Asks what links a file with sessions, in place of its problems. */
export interface CodeQuestion extends ThreadQuestion {
  readonly wants: 'code';
  /** Whether the file's problems are shown anywhere. */
  readonly isLinted: boolean;
}

export interface CodeAnswer {
  readonly code: FileCode;
  readonly mistake?: Mistake | undefined;
}

/** Asks for all that a report says of a file; the answer is a `CheckedFile`. */
export interface CheckQuestion {
  readonly path: string;
  readonly wants: 'check';
}

export type AnyQuestion = ThreadQuestion | CodeQuestion | CheckQuestion;
