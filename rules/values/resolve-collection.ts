import type { Node } from '../syntax/node.ts';
import { anyMember, assignedIn, isSameReference } from './assigned.ts';
import { isAlike, type Entity } from './entities.ts';
import { inList } from './elements.ts';
import { withOrigin } from './origins.ts';
import { firstOf } from './assigned-values.ts';
import { entityOfType } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';
import { memberName, type SourceFile } from '../syntax/source-file.ts';

/** What a map, record or array holds under some key: `pools[tenant]`, `pools.get(tenant)`. Two reads may give two different values. */
export function keptIn(
  resolver: Resolver,
  collection: Node,
  read: Node,
  file: SourceFile,
): Entity | undefined {
  const entity = resolver.entityOf(collection, file);
  if (entity?.kind === 'collection')
    return withOrigin(entityOfType(resolver, entity.of, entity.file), read, file);
  if (entity?.kind === 'keeper') return inList(entity);
  if (entity?.kind === 'array')
    return read.type === 'MemberExpression'
      ? resolver.memberOf(entity, memberName(read) ?? '')
      : undefined;
  const writes = (assignedIn(file).byName.get(anyMember) ?? []).filter(({ object }) =>
    isSameReference(object, collection, file),
  );
  const kept = writes
    .map((write) => firstOf(resolver, [write], file))
    .filter((each) => each !== undefined);
  const [first] = kept;
  // Pools of several databases in one map: which of them is read here, its use shows.
  return kept.every((each) => first !== undefined && isAlike(each, first))
    ? withOrigin(first, read, file)
    : undefined;
}

/** `{}` or `[]` that is declared to be a map of something is that. */
export function asDeclared(
  initial: Entity | undefined,
  declared: () => Entity | undefined,
): Entity | undefined {
  if (initial === undefined) return declared();
  if (initial.kind !== 'object' && initial.kind !== 'array') return initial;
  const type = declared();
  return type?.kind === 'collection' ? type : initial;
}
