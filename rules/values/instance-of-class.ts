import { nodeAt, placeOf, replaced } from './apart.ts';
import { poolOrHandle, type AbstractValue, type AllocationSite } from './abstract-values.ts';
import { isClass } from '../syntax/node.ts';
import type { Resolver } from './resolver.ts';

/** A class that extends a driver's pool makes pools. */
export function instanceOfClass(
  resolver: Resolver,
  known: AbstractValue & { kind: 'class' },
  site: AllocationSite | undefined,
): AbstractValue {
  const place = placeOf(known);
  const pool = resolver.inFile(known.file, `${place.range.join('-')} extends`, (there, file) => {
    const node = nodeAt(place, file);
    const parent =
      isClass(node) && node.superClass ? there.abstractValueOf(node.superClass, file) : undefined;
    return parent?.kind === 'driver' && parent.driver.poolClasses.includes(parent.name)
      ? {
          ...poolOrHandle(parent.driver, { node, file, holder: undefined }),
          ofClass: place,
        }
      : undefined;
  });
  if (pool === undefined) return replaced(known, { kind: 'instance' as const, site });
  return site === undefined ? pool : (replaced(pool, { site }) as AbstractValue);
}
