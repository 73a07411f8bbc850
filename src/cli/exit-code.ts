/** What the process answers with; `--help` says so too. */
export const exitCodes = {
  fine: 0,
  /** Findings, or a check that failed. */
  findings: 1,
  couldNotRun: 2,
} as const;

export interface MoreToSay {
  /** A line each, below the sentence. */
  readonly details?: readonly string[];
  /** What to add to the command that was typed, for it to run. */
  readonly tryWith?: readonly string[];
}

/** Ends a command with one sentence on standard error and exit code 2. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
  readonly more: MoreToSay;

  constructor(sentence: string, more: MoreToSay = {}) {
    super(sentence);
    this.more = more;
  }
}
