import { poolSources } from '../pools/pool-kinds.ts';
import type { OnFound } from '../pools/pool-kind.ts';
import { seeEmitters } from './see-emitters.ts';
import { seeModules } from './see-modules.ts';

/** Sees each pool that is made from here on. A failure of ours is not felt: whoever makes a pool has it, watched or not. */
export function seePools(onFound: OnFound): void {
  seeEmitters(
    poolSources.flatMap(({ emitters = [] }) => emitters),
    onFound,
  );
  seeModules(
    poolSources.flatMap(({ modules = [] }) => modules),
    onFound,
  );
}
