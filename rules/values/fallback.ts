import type { Node } from '../syntax/node.ts';
import { isAlike, type Entity } from './entities.ts';
import { eitherOf } from './origins.ts';
import { memberName, unwrap, type SourceFile } from '../syntax/source-file.ts';

/** Names under which a single client travels. */
const clientNames = /client|conn|tx|trx|transaction|executor|session|querier|queryable/iu;

/**
 * What `given ?? pool` or a parameter with a pool as its default is. Where a client may be given, it is a pool only when none is;
 * `given` is the entity, if known, and `name` the expression that comes first.
 */
export function fallbackEntity(
  fallback: Entity | undefined,
  given: Entity | undefined,
  name: Node,
): Entity | undefined {
  if (fallback?.kind !== 'pool') return fallback;
  const mayBeClient =
    given === undefined
      ? isClientName(nameOf(name) ?? '')
      : given.kind === 'client' || given.kind === 'connection';
  return mayBeClient ? { kind: 'either', pool: fallback } : fallback;
}

/** What an expression gives that has one of two values: both known, the same or not, or only one of them. */
export function entityOfChoice(
  preferred: Choice,
  other: Choice,
  whole: Node,
  file: SourceFile,
): Entity | undefined {
  if (preferred.entity?.kind === 'pool' && other.entity?.kind === 'pool')
    return isAlike(preferred.entity, other.entity)
      ? eitherOf(preferred.entity, other.entity, whole, file)
      : undefined;
  if (preferred.entity?.kind === 'pool')
    return fallbackEntity(preferred.entity, other.entity, other.node);
  return other.entity?.kind === 'pool'
    ? fallbackEntity(other.entity, preferred.entity, preferred.node)
    : (preferred.entity ?? other.entity);
}

interface Choice {
  readonly node: Node;
  readonly entity: Entity | undefined;
}

function isClientName(name: string): boolean {
  return clientNames.test(name) && !/pool/iu.test(name);
}

function nameOf(node: Node): string | undefined {
  const plain = unwrap(node);
  if (plain.type === 'MemberExpression') return memberName(plain);
  if (plain.type === 'CallExpression') return nameOf(plain.callee);
  return plain.type === 'Identifier' ? plain.name : undefined;
}
