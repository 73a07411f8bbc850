import type { Command, Report } from './report.ts';

/** Where the reports of one thread go. Neither call may throw or wait. */
export interface Reporter {
  tell(report: Report): void;
  /** Hands over what is still to be said, as far as that can be done at once, and lets go of everything. */
  stop(): void;
}

/** Makes a reporter; `obey` does what a listener asks for. */
export type CreateReporter = (obey: (command: Command) => void) => Reporter;
