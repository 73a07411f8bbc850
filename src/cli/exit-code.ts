/** What the process answers with; `--help` says so too. */
export const exitCodes = {
  fine: 0,
  /** Findings, or a check that failed. */
  findings: 1,
  couldNotRun: 2,
  /** Nothing to complain about, but files of which nothing is known: too large, or Poolguard itself failed at them. */
  notAnalysed: 3,
  /** As shells report a program that Ctrl-C ended. */
  cancelled: 130,
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

/** Ends a command that the user stopped with one sentence on standard error and exit code 130. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** What ends a command whose connection failed: the failure, or the user who ended both. */
export function endOf(
  { sentence }: { readonly sentence: string },
  { signal }: { readonly signal: AbortSignal },
): Error {
  return signal.aborted
    ? new Cancelled('Cancelled; the connection is closed.')
    : new CouldNotRun(sentence);
}
