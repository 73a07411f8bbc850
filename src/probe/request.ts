import type { Secret } from '../database/secret.ts';
import type { ConnectionTarget } from '../database/target.ts';
import type { UserStage } from './experiment.ts';

/** Where a value of a statement's parameter comes from; written as text, because a request is plain data (`workload/parameters.ts`). */
export type ParameterText = string;

/** One statement of a workload. */
export interface StatementRequest {
  readonly text: string;
  /** Share among the statements, relative to the others; above 0. */
  readonly weight: number;
  /** For `$1`, `$2`, … in this order. */
  readonly parameters: readonly ParameterText[];
}

export type WorkloadRequest =
  /** The last resort: a statement that only uses the CPU. */
  | { readonly kind: 'stand-in' }
  | { readonly kind: 'statements'; readonly statements: readonly StatementRequest[] }
  /** What `pg_stat_statements` saw most of. */
  | {
      readonly kind: 'top';
      readonly count: number;
      /** For the parameters of those statements, one statement after the other. */ readonly parameters?: readonly ParameterText[];
    }
  /** What a route or a file of the code sends. */
  | {
      readonly kind: 'code';
      /** `GET /users/:id`, `src/users.ts` */
      readonly from: string;
      readonly statements: readonly Pick<StatementRequest, 'text' | 'weight'>[];
      readonly parameters?: readonly ParameterText[];
      /** What else is sent there, in whole sentences. */
      readonly notes: readonly string[];
    };

/** Where a target lies, and the password for it. */
export interface Access {
  readonly target: ConnectionTarget;
  readonly secret: Secret | null;
}

/** What every experiment is told. */
export interface CommonRequest extends Access {
  readonly workload: WorkloadRequest;
  /** Largest pool size to try. */
  readonly max: number;
  /** For the whole experiment. */
  readonly seconds: number;
  /** Processes of one application instance that each have a pool. */
  readonly workers: number;
  /** Instances of the application (machines, containers) that share the server. */
  readonly instances: number;
  /** Share of the instances that run twice while a new version is deployed, 0 to 1: 1 for blue and green. */
  readonly deployOverlap: number;
  /** Threads that generate load; more than one measures the database beyond what one Node process can use. */
  readonly threads: number;
  /** The address of PostgreSQL itself when `target` is a pooler: limits and waits of the backends are read there. */
  readonly server: Access | null;
  /** Ends with the plan: the statements are parsed and judged, and not run. */
  readonly dryRun: boolean;
  /** The user knows that the database looks like production, or that it is a replica. */
  readonly allowProduction: boolean;
  /** Statements may write; each then runs in a transaction that is rolled back. */
  readonly allowWrites: boolean;
  /** Qualified names of functions that statements may call whatever they do: `public.order_total`. */
  readonly allowFunctions: readonly string[];
  /** Values of parameters may be taken from the statistics of the columns that they are compared with. */
  readonly sampleValues: boolean;
  /** The name of the role that the user allows although it has more rights than a probe needs; null for none. */
  readonly allowRole: string | null;
  /** Whose code statements may run: names of roles, and `server:` with that of a foreign server. */
  readonly trustOwners: readonly string[];
}

/** Which pool size does it: the probe itself. */
export interface SizeRequest extends CommonRequest {
  readonly experiment: 'size';
  /** How long it may last, in place of `seconds`, where other programs or a slow statement ask for more; `seconds` when not said. */
  readonly atMostSeconds?: number;
  /** Whether to drive a real `pg.Pool` at the found size at the end. */
  readonly validate: boolean;
  /** Sizes to try beside those of the grid, as far as the cap allows: those of a baseline. */
  readonly alsoSizes?: readonly number[];
}

/** Users who pause between requests, in stages, against one pool size after the other. */
export interface UsersRequest extends CommonRequest {
  readonly experiment: 'users';
  readonly stages: readonly UserStage[];
  readonly thinkMs: number;
  /** In the order of the table. */
  readonly sizes: readonly number[];
}

/** What a new connection costs, by phase, directly and through a pooler. */
export interface ConnectRequest extends CommonRequest {
  readonly experiment: 'connect';
  /** The second path; null measures `target` alone. */
  readonly pooler: Access | null;
  /** Connections one after the other, on each path. */
  readonly times: number;
  /** Connections at once, on each path. */
  readonly concurrent: number;
}

/** New connection per request, one shared client, a pool, one pipelined client. */
export interface CompareRequest extends CommonRequest {
  readonly experiment: 'compare';
  /** Callers at once, smallest first. */
  readonly callers: readonly number[];
  /** `max` of the pool. */
  readonly poolSize: number;
}

/** Arrivals that do not wait, faster and faster, at several pool sizes. */
export interface RampRequest extends CommonRequest {
  readonly experiment: 'ramp';
  /** Arrivals per second, rising. */
  readonly rates: readonly number[];
  readonly sizes: readonly number[];
  /** After this an arrival that still waits for a client counts as refused, as by `connectionTimeoutMillis`. */
  readonly waitLimitMs: number;
}

export type ProbeRequest =
  SizeRequest | UsersRequest | ConnectRequest | CompareRequest | RampRequest;

export const commonDefaults = {
  workload: { kind: 'stand-in' },
  max: 32,
  seconds: 15,
  workers: 1,
  instances: 1,
  deployOverlap: 0,
  threads: 1,
  server: null,
  dryRun: false,
  allowProduction: false,
  allowWrites: false,
  allowFunctions: [],
  sampleValues: false,
  allowRole: null,
  trustOwners: [],
} as const satisfies Omit<CommonRequest, keyof Access>;

export const sizeDefaults = {
  ...commonDefaults,
  experiment: 'size',
  atMostSeconds: 45,
  validate: true,
} as const satisfies Omit<SizeRequest, keyof Access>;

/** One statement as a workload. */
export function workloadOf(
  text: string,
  parameters: readonly ParameterText[] = [],
): WorkloadRequest {
  return { kind: 'statements', statements: [{ text, weight: 1, parameters }] };
}
