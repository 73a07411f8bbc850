import { foreignDrivers } from '../model/drivers.ts';
import { type Node, isClass } from '../syntax/node.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** `class AppPool extends pg.Pool`, where nobody knows what `pg` is. */
export function hasUnknownParent(
  resolver: Resolver,
  { node, file }: AbstractValue & { kind: 'instance' | 'class' },
  seen: ReadonlySet<Node> = new Set(),
): boolean {
  if (!isClass(node)) return true;
  if (node.superClass === null || seen.has(node)) return false;
  const parent = resolver.abstractValueOf(node.superClass, file);
  return parent?.kind === 'class'
    ? hasUnknownParent(resolver, parent, new Set([...seen, node]))
    : parent === undefined || parent.kind === 'package';
}

/** Nothing is known of it but the package or the class that it comes from, of which nothing is known. */
export function isUnknown(value: AbstractValue | undefined, resolver: Resolver): boolean {
  return (
    value === undefined ||
    (value.kind === 'package' && !foreignDrivers.has(value.module)) ||
    (value.kind === 'instance' && hasUnknownParent(resolver, value))
  );
}
