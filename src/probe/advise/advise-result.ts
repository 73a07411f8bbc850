import type { LimitsApplied, ProbedServer, schemaVersion } from '../result-head.ts';
import type { Advice } from './advice.ts';

/** Formulas and observation without any load: `poolguard probe advise`. */
export interface AdviseResult {
  readonly schemaVersion: typeof schemaVersion;
  readonly experiment: 'advise';
  /** Null when no server was named: then formulas speak alone. */
  readonly server: ProbedServer | null;
  readonly advice: Advice;
  readonly limits: LimitsApplied;
  readonly notes: readonly string[];
}
