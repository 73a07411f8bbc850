import * as v from 'valibot';
import { text, type OutputOf } from '../../schema/fields.ts';
import { LimitsApplied, ProbedServer, schemaVersion } from '../result-head.ts';
import { Advice } from './advice.ts';

/** Formulas and observation without any load: `poolguard probe advise`. */
export const AdviseResult = v.object({
  schemaVersion: v.literal(schemaVersion),
  experiment: v.literal('advise'),
  /** Null when no server was named: then formulas speak alone. */
  server: v.nullable(ProbedServer),
  advice: Advice,
  limits: LimitsApplied,
  notes: v.array(text),
});
export type AdviseResult = OutputOf<typeof AdviseResult>;
