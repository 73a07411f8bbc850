import { foreignDrivers } from '../model/drivers.ts';
import { type Node, isClass } from '../syntax/node.ts';
import type { Entity } from './entities.ts';
import type { Resolver } from './resolver.ts';

/** `class AppPool extends pg.Pool`, where nobody knows what `pg` is. */
export function hasUnknownParent(
  resolver: Resolver,
  { node, file }: Entity & { kind: 'instance' | 'class' },
  seen: ReadonlySet<Node> = new Set(),
): boolean {
  if (!isClass(node)) return true;
  if (node.superClass === null || seen.has(node)) return false;
  const parent = resolver.entityOf(node.superClass, file);
  return parent?.kind === 'class'
    ? hasUnknownParent(resolver, parent, new Set([...seen, node]))
    : parent === undefined || parent.kind === 'package';
}

/** Nothing is known of it but the package or the class that it comes from, of which nothing is known. */
export function isUnknown(entity: Entity | undefined, resolver: Resolver): boolean {
  return (
    entity === undefined ||
    (entity.kind === 'package' && !foreignDrivers.has(entity.module)) ||
    (entity.kind === 'instance' && hasUnknownParent(resolver, entity))
  );
}
