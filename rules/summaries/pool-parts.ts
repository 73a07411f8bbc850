import { isClass, type Node } from '../syntax/node.ts';
import { findAncestor, unwrap, variableOf } from '../syntax/source-file.ts';
import { placeOf } from '../values/apart.ts';
import type { Origin } from '../values/entities.ts';
import { handleOf } from '../values/handles.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';

/** Places with equal parts name one pool. */
export function partsOfPool({ node, file }: Place, resolver: Resolver): readonly unknown[] {
  const entity = resolver.entityOf(node, file);
  const pool = entity?.kind === 'either' ? entity.pool : (handleOf(entity, resolver) ?? entity);
  if (pool?.kind === 'pool' || pool?.kind === 'handle')
    return originsOf(pool.origin).flatMap((origin) => {
      const { path, range } = placeOf(origin);
      return [path, ...range];
    });
  const start = startOf(node);
  return [
    file,
    file.text.slice(...node.range),
    start.type === 'Identifier' ? variableOf(file, start) : findAncestor(node, isClass),
  ];
}

function originsOf(origin: Origin): readonly Origin[] {
  return origin.holder === undefined ? [origin] : [origin, ...originsOf(origin.holder)];
}

/** The expression at the very left: `a` of `a.b().c`. */
function startOf(node: Node): Node {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return startOf(plain.object);
  return plain.type === 'CallExpression' ? startOf(plain.callee) : plain;
}
