import type { Secret } from '../database/secret.ts';
import type { ConnectionTarget } from '../database/target.ts';

/** What the user wants probed. */
export interface ProbeRequest {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
  /** Null for the stand-in. */
  readonly statement: string | null;
  /** Largest pool size to try. */
  readonly max: number;
  /** For the whole probe. */
  readonly seconds: number;
  /** Worker processes that will each have a pool. */
  readonly workers: number;
  /** Whether to drive a real `pg.Pool` at the found size at the end. */
  readonly validate: boolean;
  /** Ends with the plan; opens one connection and does not run the statement. */
  readonly dryRun: boolean;
  /** The user knows that the database looks like production. */
  readonly iKnow: boolean;
}

export const defaultRequest = { statement: null, max: 32, seconds: 15, workers: 1, validate: true, dryRun: false, iKnow: false } as const satisfies Partial<ProbeRequest>;
