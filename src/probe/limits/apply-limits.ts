import type { ServerRoomFacts } from '../../database/probe-server.ts';
import type { PoolerPool, PoolerReport } from '../../pooler/pooler-report.ts';
import { listBackendLimits, type BackendLimit } from '../pooler/own-pool.ts';
import type { CommonRequest } from '../request.ts';
import type { Limit, LimitsApplied } from '../result-head.ts';

/** How many pools share the server. */
export type Sharing = Pick<CommonRequest, 'workers' | 'instances' | 'deployOverlap'>;

/** What the server grants. `othersNow` are the sessions that were open before the probe, its own left out. */
export interface Granted extends Pick<
  ServerRoomFacts,
  'maxConnections' | 'reserved' | 'roleLimit' | 'databaseLimit'
> {
  readonly othersNow: number;
}

/** A pooler in between, as its console showed it. */
export interface PoolerInBetween {
  readonly report: PoolerReport;
  readonly pool: PoolerPool | null;
}

/** Connections kept for people and tools (migrations, a console, monitoring): ten, on a small server a tenth of all. */
export function keptForAdmins(maxConnections: number): number {
  return Math.min(10, Math.ceil(maxConnections / 10));
}

/**
 * What the server, and the pooler if there is one, let each pool of the application have when all of them share it.
 * A pool's clients cost the server a backend each when connected directly and in session mode; otherwise only the pooler's own backends
 * do (`mostBackends`), and what bounds the application is how many clients the pooler takes.
 */
export function applyLimits(
  sharing: Sharing,
  granted: Granted,
  pooler: PoolerInBetween | null = null,
): LimitsApplied {
  const pools = countPools(sharing);
  const backends = listServerLimits(granted);
  const clients = pooler === null ? [] : listClientLimits(pooler);
  const lendsEachTransaction = pooler !== null && modeOf(pooler) !== 'session';
  const all = [
    ...(lendsEachTransaction ? [] : backends),
    ...(pooler === null || lendsEachTransaction ? [] : listPoolerLimits(pooler)),
    ...clients,
  ];
  const limits = all
    .map((limit) => toLimit(limit, pools))
    .sort((one, other) => one.perPool - other.perPool);
  return { pools, limits, binding: null };
}

/** Names the limit that is below what was measured for one pool; nothing where the measured curve decides. */
export function bindLimits(applied: LimitsApplied, measured: number): LimitsApplied {
  const [tightest] = applied.limits;
  return {
    ...applied,
    binding: tightest !== undefined && tightest.perPool < measured ? tightest : null,
  };
}

/** Backends that a pooler may keep open at most, as `default_pool_size` of its one pool. */
export function mostBackends(granted: Granted): {
  readonly size: number;
  readonly arithmetic: string;
} {
  const [tightest] = listServerLimits(granted).sort((one, other) => one.free - other.free);
  return tightest === undefined
    ? { size: Infinity, arithmetic: '' }
    : { size: Math.max(1, tightest.free), arithmetic: `${tightest.terms} = ${tightest.free}` };
}

/** Pools that can be open at the same time: those of a new version too, while it takes over. */
export function countPools({ workers, instances, deployOverlap }: Sharing): number {
  return workers * Math.ceil(instances * (1 + deployOverlap));
}

/** A limit before it is shared. `terms` add up to `free`. */
interface Shared extends Pick<Limit, 'kind' | 'name' | 'value'> {
  readonly free: number;
  readonly terms: string;
}

function listServerLimits({
  maxConnections,
  reserved,
  othersNow,
  roleLimit,
  databaseLimit,
}: Granted): Shared[] {
  const admins = keptForAdmins(maxConnections);
  const others = othersNow === 0 ? '' : ` − ${othersNow} in use by others`;
  return [
    {
      kind: 'max_connections',
      name: 'max_connections',
      value: maxConnections,
      free: maxConnections - reserved - admins - othersNow,
      terms: `max_connections ${maxConnections} − ${reserved} reserved − ${admins} for administration${others}`,
    },
    ...(roleLimit === null ? [] : [plain('role', 'CONNECTION LIMIT of the role', roleLimit)]),
    ...(databaseLimit === null
      ? []
      : [plain('database', 'CONNECTION LIMIT of the database', databaseLimit)]),
  ];
}

const backendKinds = {
  default_pool_size: 'pooler-pool',
  max_db_connections: 'pooler-database',
  max_user_connections: 'pooler-user',
} as const satisfies Record<BackendLimit['name'], Limit['kind']>;

function listPoolerLimits({ report, pool }: PoolerInBetween): Shared[] {
  return listBackendLimits(report, pool).map(({ name, value }) =>
    plain(backendKinds[name], `${name} of the pooler`, value),
  );
}

function listClientLimits({ report: { pooler } }: PoolerInBetween): Shared[] {
  const { maxClients } = pooler.limits;
  return maxClients === null || maxClients === 0
    ? []
    : [plain('pooler-clients', 'max_client_conn of the pooler', maxClients)];
}

function plain(kind: Limit['kind'], name: string, value: number): Shared {
  return { kind, name, value, free: value, terms: `${name} ${value}` };
}

function modeOf({ report, pool }: PoolerInBetween): string | null {
  return pool?.mode ?? report.pooler.limits.mode;
}

function toLimit({ kind, name, value, free, terms }: Shared, pools: number): Limit {
  const perPool = Math.max(0, Math.floor(free / pools));
  const left = terms.includes('−') ? `(${terms})` : terms;
  return {
    kind,
    name,
    value,
    perPool,
    arithmetic: `${left} / ${pools} pool${pools === 1 ? '' : 's'} = ${perPool}`,
  };
}
