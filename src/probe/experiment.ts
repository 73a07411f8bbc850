import * as v from 'valibot';
import { number, type OutputOf } from '../schema/fields.ts';

/** What can be measured, under the names of its commands' requests and results. */
export type ExperimentKind = 'size' | 'users' | 'connect' | 'compare' | 'ramp';

/** So many users at a time, for so long; the number rises or falls evenly from that of the stage before. */
export const UserStage = v.object({
  seconds: number,
  users: number,
});
export type UserStage = OutputOf<typeof UserStage>;
