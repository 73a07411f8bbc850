import type { PoolerPool, PoolerReport } from '../../pooler/pooler-report.ts';
import type { ConnectionTarget } from '../../database/target.ts';

/**
 * The pool that a target's clients share: that of its database and user. Where the pooler logs in as another user
 * (`user=` in [databases]), its row bears that name. Null before anybody has used it.
 */
export function findOwnPool(
  { pools }: PoolerReport,
  { database, user }: Pick<ConnectionTarget, 'database' | 'user'>,
): PoolerPool | null {
  const ofDatabase = pools.filter((pool) => pool.database === database);
  return (
    ofDatabase.find((pool) => pool.user === user) ??
    (ofDatabase.length === 1 ? (ofDatabase[0] ?? null) : null)
  );
}

/** Backends that a pool has open, whatever they do. */
export function countBackends({
  serversActive,
  serversIdle,
  serversUsed,
  serversTested,
  serversLogin,
}: PoolerPool): number {
  return serversActive + serversIdle + serversUsed + serversTested + serversLogin;
}

/** A setting of the pooler that bounds the backends of one pool. */
export interface BackendLimit {
  readonly name: 'default_pool_size' | 'max_db_connections' | 'max_user_connections';
  readonly value: number;
}

/** Those that there are, tightest first. The reserve, which opens only after some seconds of waiting, is left out. */
export function listBackendLimits(
  { pooler: { limits } }: PoolerReport,
  pool: PoolerPool | null,
): readonly BackendLimit[] {
  const all = [
    { name: 'default_pool_size', value: pool?.size ?? limits.defaultPoolSize },
    { name: 'max_db_connections', value: limits.maxDatabaseConnections },
    { name: 'max_user_connections', value: limits.maxUserConnections },
  ] as const;
  return all
    .flatMap(({ name, value }) => (value === null || value <= 0 ? [] : [{ name, value }]))
    .sort((one, other) => one.value - other.value);
}
