import { countPools } from '../probe/limits/apply-limits.ts';
import { count } from '../probe/verdict-words.ts';
import type { K6Load, K6Plan, PoolSharing } from './k6-plan.ts';

/** Pools that answer behind the URL. */
export function poolsBehind({ workers, instances }: PoolSharing): number {
  return workers * instances;
}

/** What the application opens on the server at each size, and how the load is shared, one sentence a line. Numbers only: nothing of it comes from users. */
export function describeConnections({
  sizes,
  sharing,
  load,
}: Pick<K6Plan, 'sizes' | 'sharing' | 'load'>): readonly string[] {
  const { workers, instances } = sharing;
  const behind = poolsBehind(sharing);
  const whileDeploying = countPools(sharing);
  return [
    ...sizes.map(
      (max) =>
        `A pool of ${max} × ${workers} ${many(workers, 'worker')} × ${instances} ${many(instances, 'instance')} = up to ${count(max * behind)} connections${whileDeploying === behind ? '' : `, and ${count(max * whileDeploying)} while a deploy runs both versions`}.`,
    ),
    ...(sizes.length === 0
      ? [
          `A pool's max × ${workers} ${many(workers, 'worker')} × ${instances} ${many(instances, 'instance')} is the most connections that the application opens.`,
        ]
      : []),
    'max_connections, less superuser_reserved_connections (3 unless set) and what others use, must hold them all. VUs of k6 are HTTP clients and open no database connections.',
    describeShare(load, behind),
  ];
}

function describeShare(load: K6Load, behind: number): string {
  if (load.kind === 'users')
    return `The users are those of the whole application: each of its ${behind === 1 ? 'pools' : `${count(behind)} pools`} serves its share of them.`;
  return behind === 1
    ? 'The rates are for one pool; if several serve the URL (workers × instances), set POOLS, and the script multiplies them.'
    : `The rates are for one pool; the URL gets ${count(behind)} times as many requests (POOLS = ${workersTimesInstances(behind)}).`;
}

function workersTimesInstances(behind: number): string {
  return `workers × instances = ${count(behind)}`;
}

function many(number: number, word: string): string {
  return number === 1 ? word : `${word}s`;
}
