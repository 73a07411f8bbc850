import type { EventEmitter } from 'node:events';
import { ownMethod } from '../../watch/replace-method.ts';
import type { AddressOptions } from '../address.ts';
import type { PgClient } from '../pg-client.ts';

/** pg-pool from inside (index.js, 2.0 to 3.14); what may be missing in one version or another is optional. */
export interface InnerPool extends EventEmitter {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
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

export interface PoolOptions extends AddressOptions {
  max: number;
  readonly min?: number;
  readonly connectionTimeoutMillis?: number | undefined;
}

export interface InnerClient extends PgClient {
  _poolUseCount?: number;
}

/** A caller in pg-pool's queue, or on its way to a new client. */
export interface Waiting {
  callback: (error: unknown, client?: InnerClient, release?: unknown) => void;
}

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
