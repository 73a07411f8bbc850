import { isNothing } from '../syntax/constants.ts';
import type { Node } from '../syntax/node.ts';
import { unwrap, type SourceFile } from '../syntax/source-file.ts';
import { isAmbient } from './ambient.ts';
import { isAlike, type AbstractValue } from './abstract-values.ts';
import { eitherOf } from './allocation-sites.ts';
import type { Resolver } from './resolver.ts';

/** What stands at `pool` of `given ?? pool` or `(db = pool)`: a pool that others may give something in place of, unless it is made right there, for want of one. */
export function fallbackValue(
  resolver: Resolver,
  fallback: Node,
  file: SourceFile,
  given?: Node,
): AbstractValue | undefined {
  const value = resolver.abstractValueOf(fallback, file);
  if (given !== undefined && isNothing(given)) return value;
  if (!isPoolOrHandle(value) || isMadeAt(unwrap(fallback), value, resolver, file)) return value;
  return value.kind === 'pool' ? { kind: 'either', pool: value } : { ...value, mayBeLent: true };
}

type PoolOrHandle = Extract<AbstractValue, { readonly kind: 'pool' | 'handle' }>;

function isPoolOrHandle(value: AbstractValue | undefined): value is PoolOrHandle {
  return value?.kind === 'pool' || value?.kind === 'handle';
}

/** What an expression gives that has one of two values: both known, the same or not, or only one of them. */
export function valueOfChoice(
  resolver: Resolver,
  preferred: Node,
  other: Node,
  whole: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const [first, second] = [
    resolver.abstractValueOf(preferred, file),
    resolver.abstractValueOf(other, file),
  ];
  const ambient = [first, second].find(isAmbient);
  if (ambient !== undefined) return ambient;
  if (!isPoolOrHandle(first))
    return isPoolOrHandle(second)
      ? fallbackValue(resolver, other, file, preferred)
      : (first ?? second);
  if (!isPoolOrHandle(second)) return fallbackValue(resolver, preferred, file, other);
  return isAlike(first, second) ? eitherOf(first, second, whole, file) : undefined;
}

/** `new Pool()`, `mysql.createPool()`, `await makePool()` that makes one for each call */
function isMadeAt(node: Node, pool: PoolOrHandle, resolver: Resolver, file: SourceFile): boolean {
  if (node.type === 'AwaitExpression') return isMadeAt(unwrap(node.argument), pool, resolver, file);
  if (pool.site.file !== file || pool.site.node !== node) return false;
  const maker =
    node.type === 'CallExpression' ? resolver.abstractValueOf(node.callee, file) : undefined;
  return node.type === 'NewExpression' || maker?.kind === 'driver' || maker?.kind === 'function';
}
