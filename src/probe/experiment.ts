/** What can be measured, under the names of its commands' requests and results. */
export type ExperimentKind = 'size' | 'users' | 'connect' | 'compare' | 'ramp';

/** So many users at a time, for so long; the number rises or falls evenly from that of the stage before. */
export interface UserStage {
  readonly seconds: number;
  readonly users: number;
}
