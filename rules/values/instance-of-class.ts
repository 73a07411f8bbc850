import type { Entity, Origin } from './entities.ts';
import type { Resolver } from './resolver.ts';

/** A class that extends a driver's pool makes pools. */
export function instanceOfClass(
  resolver: Resolver,
  { node, file }: Entity & { kind: 'class' },
  origin: Origin | undefined,
): Entity {
  const parent = node.superClass === null ? undefined : resolver.entityOf(node.superClass, file);
  if (parent?.kind === 'driver' && parent.driver.poolClasses.includes(parent.name))
    return {
      kind: 'pool',
      driver: parent.driver,
      origin: origin ?? { node, file, holder: undefined },
    };
  return { kind: 'instance', node, file, origin };
}
