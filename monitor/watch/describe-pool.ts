import type { PoolKind } from '../pools/pool-kind.ts';
import type { WatchedPool } from '../report.ts';
import { placesOf } from './code-places.ts';
import type { FindSource } from './source-maps.ts';
import type { CapturedStack } from './stack.ts';

export interface Made {
  readonly id: number;
  readonly kind: PoolKind;
  /** What `watchPool` was told. */
  readonly givenName: string | null;
  readonly madeFrom: CapturedStack | null;
  readonly findSource: FindSource;
}

/** What a pool says of itself. Never a password. */
export function describePool(
  pool: object,
  { id, kind, givenName, madeFrom, findSource }: Made,
): WatchedPool {
  const described = kind.describe(pool, madeFrom);
  return {
    id,
    name: givenName ?? described.applicationName ?? `pool ${id}`,
    library: kind.library,
    ...described,
    madeAt: placesOf(madeFrom, findSource)[0] ?? null,
  };
}
