import type { Command, Report } from './report.ts';

/** Where the reports of one thread go. No call may throw or wait. */
export interface Reporter {
  tell(report: Report): void;
  /** Each wait, hold and opening of a connection, for reporters that count every one; called on the way of the application, so it must be cheap. */
  measured?(pool: number, what: Measured, ms: number): void;
  /** Hands over what is still to be said, as far as that can be done at once, and lets go of everything. */
  stop(): void;
}

/** From asking for a client to having it; from having it to giving it back; from opening a connection to its first use. */
export type Measured = 'wait' | 'hold' | 'create';

/** Makes a reporter; `onCommand` does what a listener asks for. */
export type CreateReporter = (onCommand: (command: Command) => void) => Reporter;
