import { isNothing } from '../syntax/constants.ts';
import type { Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isAmbient } from './ambient.ts';
import { isAlike, type Entity } from './entities.ts';
import { eitherOf } from './origins.ts';
import type { Resolver } from './resolver.ts';

/** What stands at `pool` of `given ?? pool` or `(db = pool)`: a pool that others may give something in place of, unless it is made right there, for want of one. */
export function fallbackEntity(
  resolver: Resolver,
  fallback: Node,
  file: SourceFile,
  given?: Node,
): Entity | undefined {
  const entity = resolver.entityOf(fallback, file);
  if (given !== undefined && isNothing(given)) return entity;
  if (!isPoolOrHandle(entity) || isMadeAt(unwrap(fallback), entity, resolver, file)) return entity;
  return entity.kind === 'pool' ? { kind: 'either', pool: entity } : { ...entity, mayBeLent: true };
}

type PoolOrHandle = Extract<Entity, { readonly kind: 'pool' | 'handle' }>;

function isPoolOrHandle(entity: Entity | undefined): entity is PoolOrHandle {
  return entity?.kind === 'pool' || entity?.kind === 'handle';
}

/** What an expression gives that has one of two values: both known, the same or not, or only one of them. */
export function entityOfChoice(
  resolver: Resolver,
  preferred: Node,
  other: Node,
  whole: Node,
  file: SourceFile,
): Entity | undefined {
  const [first, second] = [resolver.entityOf(preferred, file), resolver.entityOf(other, file)];
  const ambient = [first, second].find(isAmbient);
  if (ambient !== undefined) return ambient;
  if (!isPoolOrHandle(first))
    return isPoolOrHandle(second)
      ? fallbackEntity(resolver, other, file, preferred)
      : (first ?? second);
  if (!isPoolOrHandle(second)) return fallbackEntity(resolver, preferred, file, other);
  return isAlike(first, second) ? eitherOf(first, second, whole, file) : undefined;
}

/** `new Pool()`, `mysql.createPool()`, `await makePool()` that makes one for each call */
function isMadeAt(node: Node, pool: PoolOrHandle, resolver: Resolver, file: SourceFile): boolean {
  if (node.type === 'AwaitExpression') return isMadeAt(unwrap(node.argument), pool, resolver, file);
  if (pool.origin.file !== file || pool.origin.node !== node) return false;
  const maker = node.type === 'CallExpression' ? resolver.entityOf(node.callee, file) : undefined;
  return node.type === 'NewExpression' || maker?.kind === 'driver' || maker?.kind === 'function';
}
