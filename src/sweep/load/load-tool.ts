import * as v from 'valibot';
import type { UserStage } from '../../probe/experiment.ts';
import type { ErrorCounts, Latency } from '../../probe/load/pool-load.ts';
import { number, type OutputOf } from '../../schema/fields.ts';

/** The request that every user sends. Headers and body may hold secrets: they go to the application and nowhere else. */
export interface HttpRequest {
  readonly url: string;
  /** Upper case. */
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** How far a load is, told about twice a second. */
export interface LoadProgress {
  /** Of its time, 0 to 1. */
  readonly fraction: number;
  /** Users who ask at the moment. */
  readonly users: number;
  /** Answered so far; null where the tool does not tell before its end. */
  readonly requests: number | null;
}

export interface LoadOrder {
  readonly request: HttpRequest;
  readonly stages: readonly UserStage[];
  /** Pause of each user after an answer. */
  readonly thinkMs: number;
  /** Ends the load at once; what was measured so far is still given. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: LoadProgress) => void;
}

/** What the users saw. */
export interface HttpLoad {
  /** From the first user to the last answer. */
  readonly seconds: number;
  /** Answers with status 2xx or 3xx. */
  readonly requests: number;
  /** Of those answers, from sending the request to the end of the answer. Null without one. */
  readonly latency: Latency | null;
  /** Each of these times, in milliseconds; null where the tool tells only what they come to. */
  readonly times: readonly number[] | null;
  /** Answers with status 4xx and 5xx by their status, broken connections and timeouts by their code. */
  readonly errors: ErrorCounts;
  readonly generator: GeneratorLoad;
}

/** How busy the generator itself was; null where it cannot tell. */
export const GeneratorLoad = v.object({
  /** Share of the time in which its event loop, or one core, was at work; 0 to 1. */
  busy: v.nullable(number),
  /** How late its timers were, in milliseconds. */
  lagP99Ms: v.nullable(number),
  /** Requests that it never began, because it could not keep up. */
  dropped: number,
});
export type GeneratorLoad = OutputOf<typeof GeneratorLoad>;

/** What was measured, or a sentence that says why nothing was. */
export type LoadAnswer =
  | { readonly kind: 'load'; readonly load: HttpLoad }
  | { readonly kind: 'problem'; readonly sentence: string };

/** Users who ask, wait for the answer, pause, and ask again, over HTTP. */
export interface LoadTool {
  readonly name: 'undici' | 'k6';
  /** Before anything is started: null when it can run, else the sentence that says what to do. */
  check(): Promise<string | null>;
  /** Never rejects; leaves no process and no connection behind. */
  run(order: LoadOrder): Promise<LoadAnswer>;
}

/** Mean of the largest quarter of the values, at least one: what holds while a load is at its height. Null for none. */
export function busiestQuarter(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const largest = [...values]
    .sort((one, other) => other - one)
    .slice(0, Math.max(1, Math.round(values.length / 4)));
  return largest.reduce((total, value) => total + value, 0) / largest.length;
}
