import type { Node } from '../syntax/node.ts';
import type { SourceFile } from '../syntax/source-file.ts';
import type { AbstractValue } from './abstract-values.ts';
import type { Resolver } from './resolver.ts';

/** What `AsyncLocalStorage` keeps for the calls below, or a member of it: whoever began them decides what that is (Node 20 `lib/async_hooks.js`). */
export function isAmbient(value: AbstractValue | undefined): boolean {
  return (
    value?.kind === 'package' &&
    value.module === 'async_hooks' &&
    value.name.split('.').includes('getStore')
  );
}

export function isAmbientAt(node: Node, file: SourceFile, resolver: Resolver): boolean {
  return isAmbient(resolver.abstractValueOf(node, file));
}
