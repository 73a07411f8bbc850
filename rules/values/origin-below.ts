import { type Node, isFunction } from '../syntax/node.ts';
import { contains, findAncestor, unwrap, type SourceFile } from '../syntax/source-file.ts';
import { placeOf } from './apart.ts';
import type { Entity, Origin } from './entities.ts';
import type { Resolver } from './resolver.ts';

/** `drizzle(pool)`, `new Kysely({ dialect: new PostgresDialect({ pool }) })`: a handle over a pool that is there for the whole program is a way to that one. */
export function originBelow(given: Node | undefined, own: Origin, resolver: Resolver): Origin {
  const pools = given === undefined ? [] : poolsIn(unwrap(given), own.file, resolver);
  const [pool] = pools;
  return pool !== undefined && pools.length === 1 && isShared(pool.origin, own) ? pool.origin : own;
}

/** What a function makes for the handle comes and goes with it. */
function isShared(pool: Origin, own: Origin): boolean {
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
): readonly Extract<Entity, { readonly kind: 'pool' | 'handle' }>[] {
  const entity = resolver.entityOf(node, file);
  if (entity?.kind === 'pool' || entity?.kind === 'handle') return [entity];
  const parts =
    node.type === 'ObjectExpression'
      ? node.properties.flatMap((each) => (each.type === 'Property' ? each.value : []))
      : node.type === 'NewExpression'
        ? node.arguments
        : [];
  return parts.flatMap((each) => poolsIn(unwrap(each), file, resolver));
}
