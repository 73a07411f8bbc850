import type { EventEmitter } from 'node:events';

/** What `watchPool` takes: any pool with the members of pg-pool that applications see. */
export interface WatchablePool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** pg-pool from inside (index.js, 2.0 to 3.14); what may be missing in one version or another is optional. */
export interface InnerPool extends EventEmitter, WatchablePool {
  readonly options: PoolOptions;
  readonly ending: boolean;
  readonly ended?: boolean;
  _clients: readonly InnerClient[];
  readonly _idle: readonly { readonly client: InnerClient }[];
  readonly _pendingQueue: readonly Waiting[];
  /** Clients that are closed when they come back; since 3.5. */
  readonly _expired?: WeakSet<object>;
  _pulseQueue(): void;
  _remove(client: InnerClient, callback?: () => void): void;
}

export interface PoolOptions {
  max: number;
  readonly connectionTimeoutMillis?: number | undefined;
  readonly connectionString?: string | undefined;
  readonly application_name?: string | undefined;
  readonly fallback_application_name?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | string | undefined;
  readonly database?: string | undefined;
  readonly user?: string | undefined;
}

/** A client of `pg` from inside. */
export interface InnerClient {
  readonly processID?: number | null;
  readonly connection?: { readonly stream?: { readonly localPort?: number } | null };
  /** Since pg 8.21. */
  getTransactionStatus?(): string | null;
  readonly readyForQuery?: boolean;
  readonly _activeQuery?: unknown;
  readonly _queryQueue?: readonly unknown[];
  _poolUseCount?: number;
}

/** A caller in pg-pool's queue, or on its way to a new client. */
export interface Waiting {
  callback: (error: unknown, client?: InnerClient, release?: unknown) => void;
}

type Method = (...args: unknown[]) => unknown;

/** The members by which a class of pools is known, whatever it is called and wherever its file lies. */
const marks = [
  'connect',
  'query',
  'end',
  'newClient',
  '_acquireClient',
  '_pulseQueue',
  '_remove',
] as const;

/** The prototype of pg-pool's own class below a pool, also of a subclass; null for anything else. */
export function findPoolPrototype(pool: object): object | null {
  for (
    let at: unknown = Object.getPrototypeOf(pool);
    at !== null && typeof at === 'object';
    at = Object.getPrototypeOf(at)
  ) {
    const prototype = at;
    if (marks.every((mark) => ownMethod(prototype, mark) !== null)) return prototype;
  }
  return null;
}

export function ownMethod(owner: object, name: string): Method | null {
  const value: unknown = Object.getOwnPropertyDescriptor(owner, name)?.value;
  return typeof value === 'function' ? (value as Method) : null;
}
