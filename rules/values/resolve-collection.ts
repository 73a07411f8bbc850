import type { Node } from '../syntax/node.ts';
import { anyMember, assignedIn, isSameReference } from './assigned.ts';
import { isAlike, type AbstractValue } from './abstract-values.ts';
import { inList } from './elements.ts';
import { withSite } from './allocation-sites.ts';
import { firstOf } from './assigned-values.ts';
import { abstractValueOfType } from './resolve-type.ts';
import type { Resolver } from './resolver.ts';
import { memberName, type SourceFile } from '../syntax/source-file.ts';

/** What a map, record or array holds under some key: `pools[tenant]`, `pools.get(tenant)`. Two reads may give two different values. */
export function keptIn(
  resolver: Resolver,
  collection: Node,
  read: Node,
  file: SourceFile,
): AbstractValue | undefined {
  const value = resolver.abstractValueOf(collection, file);
  if (value?.kind === 'collection')
    return withSite(abstractValueOfType(resolver, value.of, value.file), read, file);
  if (value?.kind === 'keeper') return inList(value);
  if (value?.kind === 'array')
    return read.type === 'MemberExpression'
      ? resolver.memberOf(value, memberName(read) ?? '')
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
    ? withSite(first, read, file)
    : undefined;
}

/** `{}` or `[]` that is declared to be a map of something is that. */
export function asDeclared(
  initial: AbstractValue | undefined,
  declared: () => AbstractValue | undefined,
): AbstractValue | undefined {
  if (initial === undefined) return declared();
  if (initial.kind !== 'object' && initial.kind !== 'array') return initial;
  const type = declared();
  return type?.kind === 'collection' ? type : initial;
}
