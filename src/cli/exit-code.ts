/** What the process answers with; `--help` says so too. */
export const exitCodes = {
  fine: 0,
  /** Findings, or a check that failed. */
  findings: 1,
  couldNotRun: 2,
} as const;

/** Ends a command with one sentence on standard error and exit code 2. */
export class CouldNotRun extends Error {
  override readonly name = 'CouldNotRun';
}
