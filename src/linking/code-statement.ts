/** A place in the code where a statement is written. */
export interface CodePlace {
  /** Address of the file, as the editor knows it. */
  readonly uri: string;
  /** Path in the workspace with slashes, for example "src/users.ts". */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
  /** Whether the file is one of a test, a script or a migration. */
  readonly isAside: boolean;
}

/** What the rules say of the client that a statement runs on. */
export interface ClientFinding {
  /** Without its prefix: "no-unreleased-client". */
  readonly rule: string;
  /** Where it is reported, from 1, in the file of the statement. */
  readonly line: number;
}

/** A SQL text in the code. Plain data. */
export interface CodeStatement extends CodePlace {
  /** The text around its holes; one piece for a constant. */
  readonly pieces: readonly string[];
  /** Whether code is seen to send it there; else it is written for somebody else to send. */
  readonly isSent: boolean;
  /** The worst first. */
  readonly findings: readonly ClientFinding[];
}
