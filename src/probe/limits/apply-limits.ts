import type { ProbeServerFacts } from '../../database/probe-server.ts';
import type { CommonRequest } from '../request.ts';
import type { Limit, LimitsApplied } from '../result-head.ts';

/** Connections kept for people and tools: migrations, a console, monitoring. */
const keptForAdmins = 10;

/** What the server lets each pool of the application have when all of them share it. */
export function applyLimits(request: Pick<CommonRequest, 'workers' | 'instances' | 'deployOverlap'>, facts: Pick<ProbeServerFacts, 'maxConnections' | 'reserved'>): LimitsApplied {
  const pools = countPools(request);
  const perPool = Math.max(1, Math.floor((facts.maxConnections - facts.reserved - keptForAdmins) / pools));
  const limit: Limit = {
    kind: 'max_connections',
    name: 'max_connections',
    value: facts.maxConnections,
    perPool,
    arithmetic: `(max_connections ${facts.maxConnections} − ${facts.reserved} reserved − ${keptForAdmins} for administration) / ${pools} pool${pools === 1 ? '' : 's'} = ${perPool}`,
  };
  return { pools, limits: [limit], binding: null };
}

/** Pools that can be open at the same time: those of a new version too, while it takes over. */
export function countPools({ workers, instances, deployOverlap }: Pick<CommonRequest, 'workers' | 'instances' | 'deployOverlap'>): number {
  return workers * Math.ceil(instances * (1 + deployOverlap));
}
