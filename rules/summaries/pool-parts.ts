import { isClass, type Node } from '../syntax/node.ts';
import { findAncestor, unwrap, variableOf } from '../syntax/source-file.ts';
import { placeOf } from '../values/apart.ts';
import type { AllocationSite } from '../values/abstract-values.ts';
import { handleOf } from '../values/handles.ts';
import type { Resolver } from '../values/resolver.ts';
import type { Place } from '../values/same-pool.ts';

/** Places with equal parts name one pool. */
export function partsOfPool({ node, file }: Place, resolver: Resolver): readonly unknown[] {
  const value = resolver.abstractValueOf(node, file);
  const pool = value?.kind === 'either' ? value.pool : (handleOf(value, resolver) ?? value);
  if (pool?.kind === 'pool' || pool?.kind === 'handle')
    return sitesOf(pool.site).flatMap((site) => {
      const { path, range } = placeOf(site);
      return [path, ...range];
    });
  const start = startOf(node);
  return [
    file,
    file.text.slice(...node.range),
    start.type === 'Identifier' ? variableOf(file, start) : findAncestor(node, isClass),
  ];
}

function sitesOf(site: AllocationSite): readonly AllocationSite[] {
  return site.holder === undefined ? [site] : [site, ...sitesOf(site.holder)];
}

/** The expression at the very left: `a` of `a.b().c`. */
function startOf(node: Node): Node {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return startOf(plain.object);
  return plain.type === 'CallExpression' ? startOf(plain.callee) : plain;
}
