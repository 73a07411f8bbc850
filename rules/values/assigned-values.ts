import { type Node, isFunction } from '../syntax/node.ts';
import { assignedIn, isSameReference, type MemberWrite } from './assigned.ts';
import type { Entity } from './entities.ts';
import type { Resolver } from './resolver.ts';
import type { SourceFile } from '../syntax/source-file.ts';

/** The first of the written values that is known. */
export function firstOf(
  resolver: Resolver,
  writes: readonly MemberWrite[],
  file: SourceFile,
): Entity | undefined {
  for (const { value, isGetter } of writes) {
    const entity =
      isGetter && isFunction(value)
        ? resolver.returnedBy({ node: value, file })
        : resolver.entityOf(value, file);
    if (entity !== undefined) return entity;
  }
  return undefined;
}

/** What a file assigns to the member of an object that goes by certain names. */
export function memberOfNamed(
  resolver: Resolver,
  isNamed: (node: Node) => boolean,
  name: string,
  file: SourceFile,
): Entity | undefined {
  const { byName, copies, calls } = assignedIn(file);
  const written = firstOf(
    resolver,
    (byName.get(name) ?? []).filter(({ object }) => isNamed(object)),
    file,
  );
  if (written !== undefined) return written;
  for (const { source } of copies.filter(({ object }) => isNamed(object))) {
    const copied = resolver.entityOf(source, file);
    const member =
      copied === undefined || copied.kind === 'package' || copied.kind === 'driver'
        ? undefined
        : resolver.memberOf(copied, name);
    if (member !== undefined) return member;
  }
  for (const call of calls) {
    const position = call.arguments.findIndex(isNamed);
    const mixedIn =
      position < 0 ? undefined : mixedInMember(resolver, call.callee, position, name, file);
    if (mixedIn !== undefined) return mixedIn;
  }
  return undefined;
}

/** `require('./main')(db)` where `main.js` exports `function (db) { db.name = … }`. */
function mixedInMember(
  resolver: Resolver,
  callee: Node,
  position: number,
  name: string,
  file: SourceFile,
): Entity | undefined {
  const mixin = resolver.entityOf(callee, file);
  const parameter = mixin?.kind === 'function' ? mixin.node.params[position] : undefined;
  if (mixin?.kind !== 'function' || parameter?.type !== 'Identifier') return undefined;
  const writes = (assignedIn(mixin.file).byName.get(name) ?? []).filter(({ object }) =>
    isSameReference(object, parameter, mixin.file),
  );
  return firstOf(resolver, writes, mixin.file);
}
