import type { Environment } from '../database/target.ts';

/** A stream that may be a terminal. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Width of a terminal; null for output that goes elsewhere, which is wrapped nowhere. */
export function columnsOf({ isTTY, columns }: Terminal): number | null {
  return isTTY === true ? (columns ?? null) : null;
}

/** What commands need of their process, so that tests can run them inside their own. */
export interface CliIo {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Whether standard output shows colours. */
  readonly isColored: boolean;
  /** Milliseconds of some clock that never goes back. */
  readonly now: () => number;
  /** Aborted when the user presses Ctrl-C or the process is asked to end. */
  readonly signal: AbortSignal;
  /** Lets a command take the next Ctrl-C in place of `signal`, until the returned function is called. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Hears single keys until the returned function is called; undefined where input is no terminal. */
  readonly onKey?: ((listener: (key: string) => void) => () => void) | undefined;
  /** Hears when the terminal changes its size, until the returned function is called. */
  readonly onResize?: (listener: () => void) => () => void;
  /** Is called before the process ends, however it does, until the returned function is called. */
  readonly onExit?: (listener: () => void) => () => void;
  /** The bundle that lints where it is started as a thread; without one nothing is linted in threads. */
  readonly threadBundle?: string;
  /** The bundle that holds the rules and all that runs them. */
  readonly engineBundle?: string;
  setExitCode(code: number): void;
}
