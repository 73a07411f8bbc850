import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { Entity } from './entities.ts';
import type { Resolver } from './resolver.ts';

/** What `AsyncLocalStorage` keeps for the calls below, or a member of it: whoever began them decides what that is (Node 20 `lib/async_hooks.js`). */
export function isAmbient(entity: Entity | undefined): boolean {
  return (
    entity?.kind === 'package' &&
    entity.module === 'async_hooks' &&
    entity.name.split('.').includes('getStore')
  );
}

export function isAmbientAt(node: Node, file: SourceFile, resolver: Resolver): boolean {
  return isAmbient(resolver.entityOf(node, file));
}
