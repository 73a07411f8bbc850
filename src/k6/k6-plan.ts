import type { UserStage } from '../probe/experiment.ts';
import type { ScriptRequest } from './script-request.ts';

/** The command whose load a script repeats. */
export const k6Origins = ['probe', 'probe ramp', 'probe sweep', 'sweep'] as const;
export type K6Origin = (typeof k6Origins)[number];

/** So many arrivals a second, for so long. */
export interface ArrivalStage {
  readonly seconds: number;
  /** At one pool of the application. */
  readonly rate: number;
}

export type K6Load =
  /** Users who ask, wait for the answer, pause, and ask again. */
  | { readonly kind: 'users'; readonly stages: readonly UserStage[]; readonly thinkMs: number }
  /** Arrivals that do not wait, one rate after the other. */
  | { readonly kind: 'arrivals'; readonly stages: readonly ArrivalStage[] };

/** How many pools the application has. */
export interface PoolSharing {
  /** Processes of one instance that each have a pool. */
  readonly workers: number;
  readonly instances: number;
  /** Share of the instances that run twice during a deploy, 0 to 1. */
  readonly deployOverlap: number;
}

/** What a script is to drive. */
export interface K6Plan {
  readonly origin: K6Origin;
  readonly request: ScriptRequest;
  readonly load: K6Load;
  /** Pool sizes to try, the first of which is the script's default; empty where none is known. */
  readonly sizes: readonly number[];
  readonly sharing: PoolSharing;
  /** How long an answer takes, in milliseconds: sizes the number of VUs by Little's law. */
  readonly expectedMs: number;
  /** Where the rates and the expectation come from, in a whole sentence without text of users; null where there is nothing to say. */
  readonly source: string | null;
  /** Version of Poolguard. */
  readonly madeBy: string;
}

/** Until somebody measures: a slow answer, so that there are rather too many VUs than too few. */
export const usualAnswerMs = 200;
