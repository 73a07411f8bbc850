import type { SizeResult, VerdictKind } from '../size/size-result.ts';
import type { Estimate } from '../size/statistics.ts';
import type { BackendLimit } from './own-pool.ts';

/** What is known of the pooler when the measuring is over. */
export interface PoolerEvidence {
  /** What bounds its backends, the tightest; null where its console does not say. */
  readonly limit: BackendLimit | null;
  /** Clients that waited for a backend at the worst moment. */
  readonly peakWaiting: number;
  /** Clients that worked at once, at the most. */
  readonly mostClients: number;
}

/** Verdicts about what kept larger pools from doing more; a lock is seen on the server itself and stands. */
const mayBeThePooler: readonly VerdictKind[] = [
  'found',
  'not-saturated',
  'client-bound',
  'host-bound',
];
/** A size counts as all backends of the pool when it is this near: in a closed loop every client loses a round trip. */
const nearly = 0.9;

/**
 * Whether the curve went flat because the pooler had no further backend to lend, rather than because of the server.
 *
 * Beyond `default_pool_size` clients always wait, whatever the server could do, so waiting alone proves nothing. If the smallest good
 * size is (nearly) all the backends or more, each of them was worth having, and nobody knows what one more would have brought: the
 * pooler is the limit. If it is smaller, the curve went flat while backends were free, and that is the server's own answer.
 * With more clients than backends somebody waited, whether a look fell into that moment or not.
 */
export function judgePooler(
  verdict: SizeResult['verdict'],
  { pick }: Pick<Estimate, 'pick'>,
  { limit, peakWaiting, mostClients }: PoolerEvidence,
): SizeResult['verdict'] {
  if (
    limit === null ||
    (peakWaiting === 0 && mostClients <= limit.value) ||
    pick < nearly * limit.value ||
    !mayBeThePooler.includes(verdict.kind)
  )
    return verdict;
  const { name, value } = limit;
  const backends = value === 1 ? 'its one backend' : `all ${value} backends`;
  const seen = `${peakWaiting} client${peakWaiting === 1 ? '' : 's'} waited for one at the worst moment`;
  const waiting = peakWaiting === 0 ? `of ${mostClients} clients the others had to wait` : seen;
  return {
    kind: 'pooler-bound',
    because: `Throughput rose until ${backends} that the pooler keeps for this database and user were used (${name} ${value}), and ${waiting}: the pooler is the limit, and what the server could do is not known. Raise ${name} and probe again, or probe the server directly.`,
  };
}
