import { type Node, isFunction } from '../syntax/node.ts';
import { contains, findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { placeOf } from './apart.ts';
import type { AbstractValue, AllocationSite } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** `drizzle(pool)`, `new Kysely({ dialect: new PostgresDialect({ pool }) })`: a handle over a pool that is there for the whole program is a way to that one. */
export function siteBelow(
  given: Node | undefined,
  own: AllocationSite,
  resolver: Resolver,
): AllocationSite {
  const pools = given === undefined ? [] : poolsIn(unwrap(given), own.file, resolver);
  const [pool] = pools;
  return pool !== undefined && pools.length === 1 && isShared(pool.site, own) ? pool.site : own;
}

/** What a function makes for the handle comes and goes with it. */
function isShared(pool: AllocationSite, own: AllocationSite): boolean {
  return (
    placeOf(pool).path !== own.file.path ||
    (!contains(own.node, pool.node) && findAncestor(pool.node, isFunction) === undefined)
  );
}

/** The pools and handles in what a library is given, as far as that is written in place. */
function poolsIn(
  node: Node,
  file: SourceFile,
  resolver: Resolver,
): readonly Extract<AbstractValue, { readonly kind: 'pool' | 'handle' }>[] {
  const abstractValue = resolver.abstractValueOf(node, file);
  if (abstractValue?.kind === 'pool' || abstractValue?.kind === 'handle') return [abstractValue];
  const parts =
    node.type === 'ObjectExpression'
      ? node.properties.flatMap((each) => (each.type === 'Property' ? each.value : []))
      : node.type === 'NewExpression'
        ? node.arguments
        : [];
  return parts.flatMap((each) => poolsIn(unwrap(each), file, resolver));
}
