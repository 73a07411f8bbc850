import type { Secret } from '../database/secret.ts';
import type { ConnectionTarget, Environment } from '../database/target.ts';
import type { Clock } from '../probe/clock.ts';
import type { UserStage } from '../probe/experiment.ts';
import type { Sharing } from '../probe/limits/apply-limits.ts';
import type { RandomSource } from '../probe/random.ts';
import { mostUsers, totalSeconds } from '../probe/users/users-at.ts';
import type { Listener, ListenerEvents } from '../running/listener.ts';
import type { HttpRequest, LoadTool } from './load/load-tool.ts';
import type { SweepResult } from './sweep-result.ts';

export interface SweepRequest extends Sharing {
  /** What starts the application, for the shell. */
  readonly command: string;
  readonly folder: string;
  /** The variable that tells it its pool size; null changes the pool of the running application instead. */
  readonly variable: string | null;
  readonly sizes: readonly number[];
  readonly http: HttpRequest;
  /** Null asks for the request itself. */
  readonly readyUrl: string | null;
  readonly readyTimeoutMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly stopTimeoutMs: number;
  readonly stages: readonly UserStage[];
  readonly thinkMs: number;
  readonly passes: number;
  /** The application's database, to be looked at beside; null leaves it out. */
  readonly database: {
    readonly target: ConnectionTarget;
    readonly secret: Secret | null;
    /** Somebody named it for this. */ readonly isAsked: boolean;
  } | null;
  /** Which files name a database that was not used, as a sentence; null where none does. */
  readonly databaseHint: string | null;
  /** A database that looks like production may be loaded. */
  readonly allowProduction: boolean;
  readonly dryRun: boolean;
}

/** What is about to be done, before anything of it is done. */
export interface SweepPlan {
  readonly experiment: 'sweep';
  readonly command: string;
  readonly variable: string | null;
  readonly sizes: readonly number[];
  readonly url: string;
  readonly method: string;
  /** What will be done, one short sentence a step. */
  readonly steps: readonly string[];
  /** At least: how slowly the application starts and answers is not known before. */
  readonly expectedMs: number;
  readonly notes: readonly string[];
}

export interface SweepProgress {
  readonly kind: 'progress';
  /** 0 to 1. */
  readonly fraction: number;
  readonly doing: string;
  /** Of the load that runs; null while none does. */
  readonly load: {
    readonly users: number;
    readonly requests: number | null;
    /** Null where no monitor reports. */ readonly waiting: number | null;
  } | null;
}

/** What a running sweep says, in order: one `plan`, then `progress`, then exactly one of the last three. A dry run ends with its `plan`. */
export type SweepEvent =
  | { readonly kind: 'plan'; readonly plan: SweepPlan }
  | SweepProgress
  | { readonly kind: 'result'; readonly result: SweepResult }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** What a sweep needs of the world. */
export interface SweepEnvironment {
  readonly emit: (event: SweepEvent) => void;
  readonly confirm: (plan: SweepPlan) => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly environment: Environment;
  readonly tool: LoadTool;
  /** The bundle of `app/keeper.ts`. */
  readonly keeperPath: string;
  /** Opens a place where the application's monitors report. */
  readonly listen: (events: ListenerEvents) => Promise<Listener>;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** Starting, warming up and stopping an application takes no less. */
const aroundTurnMs = 2000;

/** What a sweep is about to do. Headers and body stay out of it: they may hold secrets. */
export function toPlan(
  { command, variable, sizes, http: { url, method }, stages, thinkMs, passes }: SweepRequest,
  tool: string,
  notes: readonly string[],
): SweepPlan {
  const seconds = totalSeconds(stages);
  const change =
    variable === null
      ? 'Start the application once, and change max of its pool at run time'
      : `Start the application with ${variable}=${sizes.join(', then ')}`;
  return {
    experiment: 'sweep',
    command,
    variable,
    sizes,
    url,
    method,
    steps: [
      `${change}${sizes.length > 1 ? ', in random order' : ''}${passes === 1 ? '' : `, ${passes === 2 ? 'twice' : `${passes} times`}`}`,
      `Send requests of up to ${mostUsers(stages)} users with ${tool} for ${Math.round(seconds)} s each time, pausing for ${thinkMs} ms after an answer`,
      'Stop the application and all its child processes',
    ],
    expectedMs: sizes.length * passes * (seconds * 1000 + aroundTurnMs),
    notes,
  };
}
