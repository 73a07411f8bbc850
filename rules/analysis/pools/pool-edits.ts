import type { Edit } from '../findings/finding.ts';
import type { Scene } from '../findings/scene.ts';
import type { DeclaredPool, PoolOptionName } from './declared-pools.ts';

/** Numbers to write into a pool's options. */
export type PoolValues = Readonly<Partial<Record<PoolOptionName, number>>>;

/** The edits that write these numbers into the options of a pool of the file, apart from each other; undefined where that cannot be done safely. */
export function editsForPool(_scene: Scene, _pool: DeclaredPool, _values: PoolValues): readonly Edit[] | undefined {
  return undefined;
}
